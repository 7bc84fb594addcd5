import { type Condition, conditionsFor } from '../../memory/conditions.js';
import { type AnchorClock, isBefore, isEligible } from '../../memory/eligibility.js';
import { type EventLog, newestDependencyTimes } from '../../memory/eventLog.js';
import { type MemoryMechanism, newMechanismOutput } from '../../memory/mechanisms/mechanism.js';
import type { Anchor } from '../../replay/anchors.js';
import { rankingHash, selectionHash } from '../../replay/commitments.js';
import { visibleProduct } from '../../replay/ReplayKernel.js';
import type { Budgets, ShardHashes } from '../../replay/rowBatch.js';
import { RowMeter } from '../../replay/rowMetrics.js';
import type { RowTable } from '../../replay/rowTable.js';
import { type RankedBlock, rankedRows } from '../../retrieval/ranking.js';
import type { DomainArtefacts } from './artefacts.js';
import type { Checks } from './check.js';

/** What a shard's rows must agree with; everything here comes from artefacts and the manifest, nothing from the rows. */
export interface ShardExpectation {
  /** How messages name the shard. */
  readonly label: string;
  readonly runId: string;
  readonly anchors: readonly Anchor[];
  readonly horizons: readonly number[];
  readonly budgets: Budgets;
  readonly cutoffs: readonly number[];
  readonly hashes: ShardHashes;
  readonly base: RankedBlock;
  readonly log: EventLog;
  readonly mechanism: MemoryMechanism;
  readonly domain: DomainArtefacts;
}

/**
 * Recomputes every row of a shard the slow way: views by the predicate and a full sort, rankings by the mechanism,
 * metrics from the ranking; and compares the rows with that, value by value.
 */
export function auditShard(rows: RowTable, expected: ShardExpectation, checks: Checks): void {
  new ShardAudit(rows, expected, checks).run();
}

interface Entry {
  readonly position: number;
  readonly similarity: number;
}

class ShardAudit {
  readonly #rows: RowTable;
  readonly #expected: ShardExpectation;
  readonly #checks: Checks;
  readonly #conditions: readonly Condition[];
  readonly #dependencyAt: Float64Array;
  readonly #meter: RowMeter;

  constructor(rows: RowTable, expected: ShardExpectation, checks: Checks) {
    this.#rows = rows;
    this.#expected = expected;
    this.#checks = checks;
    this.#conditions = conditionsFor(expected.horizons);
    this.#dependencyAt = newestDependencyTimes(expected.log, expected.mechanism.reads);
    const { types, typeNames } = expected.domain.assets;
    this.#meter = new RowMeter(expected.cutoffs, types, typeNames);
  }

  run(): void {
    const { anchors, label } = this.#expected;
    const { population } = this.#checks;
    const perAnchor = this.#conditions.length;
    population.equal(() => `${label}: rows`, this.#rows.rows, anchors.length * perAnchor);
    for (const [index, anchor] of anchors.entries()) {
      const first = index * perAnchor;
      if (first + perAnchor > this.#rows.rows) break;
      const complete = this.#conditions.every((condition, offset) => {
        const row = first + offset;
        const found = `${this.#rows.condition[row]} at ${this.#rows.anchor_position[row]}`;
        return population.equal(() => this.#where(row), found, `${condition.name} at ${anchor.position}`);
      });
      if (complete) this.#auditAnchor(anchor, first);
    }
  }

  #where(row: number): string {
    const { label } = this.#expected;
    return `${label}, anchor ${this.#rows.anchor_position[row]}, ${this.#rows.condition[row]}`;
  }

  #auditAnchor(anchor: Anchor, first: number): void {
    const { log, domain } = this.#expected;
    const request = log.requestAt[anchor.position]!;
    const clock: AnchorClock = { position: anchor.position, observedAt: log.observedAt[anchor.position]! };
    const visible = domain.visibleRows[request]!;
    const candidates = this.#candidates(request);
    this.#meter.begin(visibleProduct(domain.products, request, visible));
    const rowOf = new Map<string, number>();
    for (const [offset, condition] of this.#conditions.entries()) {
      const row = first + offset;
      rowOf.set(condition.kind, row);
      this.#auditIdentity(row, anchor, request, clock, visible);
      const entries = candidates
        .filter(({ position }) => isEligible(condition, clock, position, this.#dependencyAt[position]!))
        .slice(0, this.#expected.budgets.capacity);
      this.#auditSelection(row, condition, clock, entries);
      this.#auditRanking(row, request, visible, entries);
    }
    this.#auditControl(rowOf.get('naive')!, rowOf.get('future')!);
  }

  /** Every event with a similarity above 0 to the request, most similar first, ties by position. */
  #candidates(request: number): Entry[] {
    const { log, domain } = this.#expected;
    const entries: Entry[] = [];
    for (let position = 0; position < log.size; position++) {
      const similarity = domain.vectors.similarity(request, log.requestAt[position]!);
      if (similarity > 0) entries.push({ position, similarity });
    }
    return entries.sort((a, b) => b.similarity - a.similarity || a.position - b.position);
  }

  #auditIdentity(row: number, anchor: Anchor, request: number, clock: AnchorClock, visible: number): void {
    const rows = this.#rows;
    const { budgets, hashes, runId, domain } = this.#expected;
    const { anchor: same, budget, corpus, types, requests, index, stream, eventLog, model, population } = this.#checks;
    const where = () => this.#where(row);
    population.equal(where, rows.run_id[row], runId);
    same.equal(where, rows.request[row], request);
    same.equal(where, rows.request_id[row], domain.requests.ids[request]);
    same.equal(where, rows.anchor_clock[row], clock.observedAt);
    same.equal(where, rows.quartile[row], anchor.quartile);
    same.equal(where, rows.corpus_rows[row], visible);
    budget.equal(where, rows.trace_depth[row], budgets.traceDepth);
    budget.equal(where, rows.capacity[row], budgets.capacity);
    budget.equal(where, rows.base_depth[row], budgets.baseDepth);
    budget.equal(where, rows.output_depth[row], budgets.outputDepth);
    corpus.equal(where, rows.corpus_hash[row], hashes.corpus);
    types.equal(where, rows.types_hash[row], hashes.types);
    requests.equal(where, rows.requests_hash[row], hashes.requests);
    index.equal(where, rows.index_hash[row], hashes.index);
    stream.equal(where, rows.stream_hash[row], hashes.stream);
    eventLog.equal(where, rows.event_log_hash[row], hashes.eventLog);
    model.equal(where, rows.model_hash[row], hashes.model);
  }

  #auditSelection(row: number, condition: Condition, clock: AnchorClock, entries: readonly Entry[]): void {
    const rows = this.#rows;
    const { log, domain, budgets } = this.#expected;
    const { selection, eligibility, selfExclusion, violationRate, budget } = this.#checks;
    const where = () => this.#where(row);
    const [start, end] = [rows.selected_positions.offsets[row]!, rows.selected_positions.offsets[row + 1]!];
    const positions = rows.selected_positions.values.subarray(start, end);
    const similarities = rows.similarities.values.subarray(start, end);
    const dependencyAt = rows.newest_dependency_at.values.subarray(start, end);
    budget.holds(
      positions.length <= budgets.capacity,
      where,
      () => `${positions.length} entries`,
      () => `at most ${budgets.capacity}`,
    );
    selection.equal(where, rows.slots_filled[row], positions.length);
    selection.equal(where, positions.join(), entries.map(({ position }) => position).join());
    selection.equal(where, similarities.join(), entries.map(({ similarity }) => similarity).join());
    for (let k = 0; k < positions.length; k++) {
      const position = positions[k]!;
      selfExclusion.holds(
        position !== clock.position,
        where,
        () => `position ${position}`,
        () => 'any other position',
      );
      selection.equal(
        where,
        rows.selected_event_ids.values[start + k],
        domain.requests.ids[log.requestAt[position] ?? -1],
      );
      selection.equal(where, rows.selected_observed_at.values[start + k], log.observedAt[position]);
      selection.equal(where, dependencyAt[k], this.#dependencyAt[position]);
      if (condition.kind === 'pit') {
        const newest = Math.max(this.#dependencyAt[position] ?? Number.NaN, dependencyAt[k]!);
        eligibility.holds(
          isBefore(clock, newest),
          where,
          () => `position ${position}, dependency at ${newest}`,
          () => `before ${clock.observedAt}`,
        );
      }
    }
    let future = 0;
    for (const position of positions) if (!isBefore(clock, this.#dependencyAt[position] ?? Number.NaN)) future++;
    const rate = positions.length === 0 ? 0 : future / positions.length;
    violationRate.equal(where, rows.future_slots[row], future);
    violationRate.equal(where, rows.tvr[row], rate);
    if (condition.kind === 'pit') violationRate.equal(where, rate, 0);
    selection.equal(
      where,
      rows.selection_hash[row],
      selectionHash(Uint32Array.from(positions), similarities, dependencyAt).toString('hex'),
    );
  }

  #auditRanking(row: number, request: number, visible: number, entries: readonly Entry[]): void {
    const rows = this.#rows;
    const { log, mechanism, base, budgets } = this.#expected;
    const { ranking: check, metrics } = this.#checks;
    const where = () => this.#where(row);
    const output = newMechanismOutput(budgets.outputDepth);
    mechanism.rank(
      {
        baseRows: rankedRows(base, request),
        entryCount: entries.length,
        entryRequests: Uint32Array.from(entries, ({ position }) => log.requestAt[position]!),
        entrySimilarities: Float64Array.from(entries, ({ similarity }) => similarity),
        visibleRows: visible,
      },
      output,
    );
    const recorded = Uint32Array.from(
      rows.ranking.values.subarray(rows.ranking.offsets[row]!, rows.ranking.offsets[row + 1]!),
    );
    const expected = output.rows.subarray(0, output.length);
    const different = firstDifference(recorded, expected);
    check.holds(
      different < 0,
      where,
      () => `row ${recorded[different]} at rank ${different + 1}`,
      () => `row ${expected[different]}`,
    );
    check.equal(where, rows.list_length[row], recorded.length);
    check.equal(where, rows.ranking_hash[row], rankingHash(recorded).toString('hex'));
    this.#meter.measure(recorded);
    for (const [name, values] of rows.metrics) {
      const expected = this.#meter.values[this.#meter.names.indexOf(name)] ?? Number.NaN;
      metrics.equal(() => `${this.#where(row)}, ${name}`, values[row], expected);
    }
  }

  #auditControl(naive: number, future: number): void {
    const rows = this.#rows;
    const { control } = this.#checks;
    const where = () => this.#where(naive);
    for (const list of ['selected_positions', 'similarities', 'ranking'] as const) {
      const { offsets, values } = rows[list];
      const of = (row: number) => values.subarray(offsets[row]!, offsets[row + 1]!);
      const different = firstDifference(of(naive), of(future));
      control.holds(
        different < 0,
        where,
        () => `${list}[${different}] = ${of(naive)[different]}`,
        () => `${of(future)[different]}, as Future`,
      );
    }
    control.equal(where, rows.tvr[naive], rows.tvr[future]);
    for (const [name, values] of rows.metrics)
      control.equal(() => `${where()}, ${name}`, values[naive], values[future]);
  }
}

/** Index of the first place where two arrays differ, in value or because one ends; -1 when they are equal. */
function firstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) if (!Object.is(a[i], b[i])) return i;
  return -1;
}
