import type { LogCommitment } from '../../commitment/merkleTree.js';
import type { Condition } from '../../memory/conditions.js';
import { type AnchorClock, countFuture, isBefore } from '../../memory/eligibility.js';
import { type MechanismOutput, type MemoryMechanism, newMechanismOutput } from '../../memory/mechanisms/mechanism.js';
import { rankingHash, selectionHash } from '../../replay/commitments.js';
import type { ReplayDomain } from '../../replay/domain/domain.js';
import type { HistoricalState } from '../../replay/historicalState.js';
import { visibleProduct } from '../../replay/ReplayKernel.js';
import type { Budgets, ShardHashes } from '../../replay/rows/rowBatch.js';
import { RowMeter } from '../../replay/rows/rowMetrics.js';
import type { RowTable } from '../../replay/rows/rowTable.js';
import type { PlannedStream } from '../../replay/runSink.js';
import { type RankedBlock, rankedRows } from '../../retrieval/ranking.js';
import { proofKey, type StoredProofs } from './artefacts.js';
import type { Checks } from './check.js';
import { clockText } from './clockText.js';
import type { StreamViews, ViewEntries } from './StreamViews.js';
import { isProvenPrefix } from './verifyProofs.js';

/** What a shard's rows must agree with; everything here comes from artefacts and the manifest, nothing from the rows. */
export interface ShardExpectation {
  /** How messages name the shard. */
  readonly label: string;
  readonly runId: string;
  readonly domain: ReplayDomain;
  readonly stream: PlannedStream;
  readonly views: StreamViews;
  readonly conditions: readonly Condition[];
  readonly budgets: Budgets;
  readonly cutoffs: readonly number[];
  readonly hashes: ShardHashes;
  readonly base: RankedBlock;
  readonly mechanism: MemoryMechanism;
  /** Whether it is a user's: one that may keep what it was handed for other rankings, and must not. */
  readonly isOwn: boolean;
  /** [anchors] */
  readonly states: readonly HistoricalState[];
  /** By `proofKey`. */
  readonly proofs: StoredProofs['proofs'];
  /** Commitments as the manifest records them. */
  readonly recorded: { readonly eventLog: LogCommitment | undefined; readonly corpus: LogCommitment };
}

/** What a selection comes to; the same entries give the same, so it is made once for all conditions that share them. */
interface Outcome {
  readonly entries: ViewEntries;
  /** [entries] newest dependency time of each. */
  readonly dependencyAt: Float64Array;
  readonly future: number;
  readonly selectionHash: string;
  readonly ranking: Uint32Array;
  readonly rankingHash: string;
  /** [metrics] */
  readonly metrics: Float64Array;
}

/**
 * Recomputes every row of a shard the slow way: views by the predicate and a full sort, rankings by the mechanism,
 * metrics from the ranking; and compares the rows with that, value by value. Anchors of a user's mechanism go from last to
 * first, PIT before what sees the future: what it kept from one ranking to the next is not what it kept in the replay.
 */
export class ShardAudit {
  readonly #rows: RowTable;
  readonly #expected: ShardExpectation;
  readonly #checks: Checks;
  readonly #dependencyAt: Float64Array;
  readonly #meter: RowMeter;
  readonly #output: MechanismOutput;
  /** Columns of `rows.metrics` with their place among the meter's values; -1 where the corpus has no such type. */
  readonly #metrics: readonly { readonly name: string; readonly values: Float64Array; readonly place: number }[];

  constructor(rows: RowTable, expected: ShardExpectation, checks: Checks) {
    this.#rows = rows;
    this.#expected = expected;
    this.#checks = checks;
    const { stream, mechanism, domain, cutoffs, budgets } = expected;
    this.#dependencyAt = stream.log.newestDependencyAt[mechanism.reads];
    const meter = new RowMeter(cutoffs, domain.assets.types, domain.assets.typeNames);
    this.#meter = meter;
    this.#output = newMechanismOutput(budgets.outputDepth);
    this.#metrics = Array.from(rows.metrics, ([name, values]) => ({ name, values, place: meter.names.indexOf(name) }));
  }

  run(): void {
    const { stream, label, conditions, isOwn } = this.#expected;
    const { anchors } = stream.plan;
    const { population, ranking } = this.#checks;
    if (isOwn) ranking.remark('what a module reads besides its input is not seen');
    population.equal(() => `${label}: rows`, this.#rows.rows, anchors.length * conditions.length);
    for (let step = 0; step < anchors.length; step++) {
      const anchor = isOwn ? anchors.length - 1 - step : step;
      const first = anchor * conditions.length;
      if (first + conditions.length > this.#rows.rows) continue;
      const complete = conditions.every((condition, offset) => {
        const row = first + offset;
        const found = `${this.#rows.condition[row]} at ${this.#rows.anchor_position[row]}`;
        return population.equal(this.#where(row), found, `${condition.name} at ${anchors[anchor]!.position}`);
      });
      if (complete) this.#auditAnchor(anchor, first);
    }
  }

  #where(row: number): () => string {
    return () => `${this.#expected.label}, anchor ${this.#rows.anchor_position[row]}, ${this.#rows.condition[row]}`;
  }

  #auditAnchor(index: number, first: number): void {
    const { stream, domain, conditions, views, mechanism } = this.#expected;
    const { position } = stream.plan.anchors[index]!;
    const request = stream.log.requestAt[position]!;
    const clock: AnchorClock = { position, observedAt: stream.log.observedAt[position]! };
    const visible = domain.visibleRows[request]!;
    this.#meter.begin(visibleProduct(domain.products, request, visible));
    const outcomes: Outcome[] = [];
    for (const [offset, condition] of conditions.entries()) {
      const row = first + offset;
      const entries = views.entries(mechanism.reads, index, offset);
      const outcome = outcomes[entries.sameAs] ?? this.#outcomeOf(entries, clock, request, visible);
      outcomes.push(outcome);
      this.#auditIdentity(row, index, request, clock, visible);
      this.#checks.population.equal(this.#where(row), this.#rows.horizon[row], condition.horizon ?? Number.NaN);
      this.#auditSelection(row, condition, clock, index, outcome);
      this.#auditRanking(row, outcome);
    }
    const rowOf = (kind: Condition['kind']) => first + conditions.findIndex((condition) => condition.kind === kind);
    this.#auditPrefixes(first);
    this.#auditControl(rowOf('naive'), rowOf('future'));
  }

  #outcomeOf(entries: ViewEntries, clock: AnchorClock, request: number, visible: number): Outcome {
    const { mechanism, base, stream } = this.#expected;
    const dependencyAt = Float64Array.from(entries.positions, (position) => this.#dependencyAt[position]!);
    mechanism.rank(
      {
        baseRows: rankedRows(base, request),
        entryCount: entries.positions.length,
        entryRequests: Uint32Array.from(entries.positions, (position) => stream.log.requestAt[position]!),
        entrySimilarities: entries.similarities,
        visibleRows: visible,
      },
      this.#output,
    );
    const ranking = this.#output.rows.slice(0, this.#output.length);
    this.#meter.measure(ranking);
    return {
      entries,
      dependencyAt,
      future: countFuture(clock, dependencyAt, dependencyAt.length),
      selectionHash: selectionHash(entries.positions, entries.similarities, dependencyAt).toString('hex'),
      ranking,
      rankingHash: rankingHash(ranking).toString('hex'),
      metrics: this.#meter.values.slice(),
    };
  }

  #auditIdentity(row: number, index: number, request: number, clock: AnchorClock, visible: number): void {
    const rows = this.#rows;
    const { budgets, hashes, runId, domain, states, stream, mechanism } = this.#expected;
    const {
      anchor,
      budget,
      corpus,
      types,
      requests,
      index: indexes,
      stream: order,
      eventLog,
      prefix,
      model,
      population,
    } = this.#checks;
    const where = this.#where(row);
    population.equal(where, rows.run_id[row], runId);
    population.equal(where, rows.stream_kind[row], stream.stream.kind);
    population.equal(where, rows.stream_uses_gold[row], stream.stream.usesGold ? 1 : 0);
    population.equal(where, rows.mechanism_uses_gold[row], mechanism.usesGold ? 1 : 0);
    anchor.equal(where, rows.request[row], request);
    anchor.equal(where, rows.request_id[row], domain.requests.ids[request]);
    const recordedClock = rows.anchor_clock[row];
    anchor.holds(
      Object.is(recordedClock, clock.observedAt),
      where,
      () => clockText(stream.log.clockKind, recordedClock),
      () => clockText(stream.log.clockKind, clock.observedAt),
    );
    anchor.equal(where, rows.quartile[row], stream.plan.anchors[index]!.quartile);
    anchor.equal(where, rows.corpus_rows[row], visible);
    budget.equal(where, rows.trace_depth[row], budgets.traceDepth);
    budget.equal(where, rows.capacity[row], budgets.capacity);
    budget.equal(where, rows.base_depth[row], budgets.baseDepth);
    budget.equal(where, rows.output_depth[row], budgets.outputDepth);
    corpus.equal(where, rows.corpus_hash[row], hashes.corpus);
    types.equal(where, rows.types_hash[row], hashes.types);
    requests.equal(where, rows.requests_hash[row], hashes.requests);
    indexes.equal(where, rows.index_hash[row], hashes.index);
    order.equal(where, rows.stream_hash[row], hashes.stream);
    eventLog.equal(where, rows.event_log_hash[row], hashes.eventLog);
    prefix.equal(where, rows.snapshot_hash[row], states[index]!.snapshotRoot);
    prefix.equal(where, rows.memory_events[row], states[index]!.memoryEvents);
    prefix.equal(where, rows.memory_hash[row], states[index]!.memoryRoot);
    model.equal(where, rows.model_hash[row], hashes.model);
  }

  /** Proves what a row names against what the manifest commits to, by nothing but the stored proof and the four roots. */
  #auditPrefixes(row: number): void {
    const { proofs, recorded } = this.#expected;
    const stored = proofs.get(proofKey(this.#rows.retriever[row]!, this.#rows.anchor_position[row]!));
    const prefixes = [
      ['memory', stored?.memory, this.#rows.memory_events[row]!, this.#rows.memory_hash[row]!, recorded.eventLog],
      ['snapshot', stored?.snapshot, this.#rows.corpus_rows[row]!, this.#rows.snapshot_hash[row]!, recorded.corpus],
    ] as const;
    for (const [name, path, size, root, whole] of prefixes) {
      this.#checks.prefix.holds(
        isProvenPrefix(path, { size, root }, whole),
        this.#where(row),
        () => `${name} of ${size}, root ${root}`,
        () => `a prefix of the log of ${whole?.size}, root ${whole?.root}`,
      );
    }
  }

  #auditSelection(row: number, condition: Condition, clock: AnchorClock, index: number, outcome: Outcome): void {
    const rows = this.#rows;
    const { stream, domain, budgets, states } = this.#expected;
    const { selection, eligibility, selfExclusion, violationRate, budget } = this.#checks;
    const { requestAt, observedAt, clockKind } = stream.log;
    const time = (value: number | undefined) => clockText(clockKind, value);
    const where = this.#where(row);
    const [start, end] = [rows.selected_positions.offsets[row]!, rows.selected_positions.offsets[row + 1]!];
    const positions = rows.selected_positions.values.subarray(start, end);
    const similarities = rows.similarities.values.subarray(start, end);
    const dependencyAt = rows.newest_dependency_at.values.subarray(start, end);
    const within = positions.length <= budgets.capacity;
    budget.holds(
      within,
      where,
      () => `${positions.length} entries`,
      () => `at most ${budgets.capacity}`,
    );
    selection.equal(where, rows.slots_filled[row], positions.length);
    this.#same('selection', where, 'entry', positions, outcome.entries.positions);
    this.#same('selection', where, 'similarity', similarities, outcome.entries.similarities);
    this.#same('selection', where, 'dependency time', dependencyAt, outcome.dependencyAt, time);
    selection.equal(where, rows.selection_hash[row], outcome.selectionHash);
    let future = 0;
    for (let k = 0; k < positions.length; k++) {
      const position = positions[k]!;
      const own = this.#dependencyAt[position] ?? Number.NaN;
      selfExclusion.holds(
        position !== clock.position,
        where,
        () => `position ${position}`,
        () => 'any other position',
      );
      selection.equal(where, rows.selected_event_ids.values[start + k], domain.requests.ids[requestAt[position] ?? -1]);
      const recordedAt = rows.selected_observed_at.values[start + k];
      selection.holds(
        Object.is(recordedAt, observedAt[position]),
        where,
        () => time(recordedAt),
        () => time(observedAt[position]),
      );
      if (!isBefore(clock, own)) future++;
      if (condition.kind !== 'pit') continue;
      const newest = Math.max(own, dependencyAt[k]!);
      eligibility.holds(
        isBefore(clock, newest) && position < states[index]!.memoryEvents,
        where,
        () => `position ${position}, dependency at ${time(newest)}`,
        () => `before ${time(clock.observedAt)}, among the first ${states[index]!.memoryEvents} events`,
      );
    }
    const rate = positions.length === 0 ? 0 : future / positions.length;
    violationRate.equal(where, rows.future_slots[row], future);
    violationRate.equal(where, rows.tvr[row], rate);
    if (condition.kind === 'pit') violationRate.equal(where, rate, 0);
  }

  #auditRanking(row: number, outcome: Outcome): void {
    const rows = this.#rows;
    const { ranking, metrics } = this.#checks;
    const where = this.#where(row);
    const recorded = rows.ranking.values.subarray(rows.ranking.offsets[row]!, rows.ranking.offsets[row + 1]!);
    this.#same('ranking', where, 'rank', recorded, outcome.ranking);
    ranking.equal(where, rows.list_length[row], recorded.length);
    ranking.equal(where, rows.ranking_hash[row], outcome.rankingHash);
    for (const { name, values, place } of this.#metrics) {
      metrics.equal(() => `${where()}, ${name}`, values[row], place < 0 ? Number.NaN : outcome.metrics[place]);
    }
  }

  #auditControl(naive: number, future: number): void {
    const rows = this.#rows;
    const { control } = this.#checks;
    const where = this.#where(naive);
    for (const list of ['selected_positions', 'similarities', 'ranking'] as const) {
      const { offsets, values } = rows[list];
      const of = (row: number) => values.subarray(offsets[row]!, offsets[row + 1]!);
      this.#same('control', where, `${list}, Naive beside Future:`, of(naive), of(future));
    }
    control.equal(where, rows.tvr[naive], rows.tvr[future]);
    for (const { name, values } of this.#metrics) {
      control.equal(() => `${where()}, ${name}`, values[naive], values[future]);
    }
  }

  /** One comparison of two lists; a violation names the first place where they differ. */
  #same(
    check: 'selection' | 'ranking' | 'control',
    where: () => string,
    name: string,
    found: ArrayLike<number>,
    expected: ArrayLike<number>,
    text: (value: number | undefined) => string = (value) => `${value ?? 'none'}`,
  ): void {
    const different = firstDifference(found, expected);
    this.#checks[check].holds(
      different < 0,
      where,
      () => `${name} ${different + 1}: ${text(found[different])}`,
      () => text(expected[different]),
    );
  }
}

/** Index of the first place where two arrays differ, in value or because one ends; -1 when they are equal. */
function firstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) if (!Object.is(a[i], b[i])) return i;
  return -1;
}
