import { type Products, productOf } from '../corpus/products.js';
import type { Condition } from '../memory/conditions.js';
import { type AnchorClock, countFuture } from '../memory/eligibility.js';
import { type EventLog, newestDependencyTimes } from '../memory/eventLog.js';
import { type MechanismOutput, type MemoryMechanism, newMechanismOutput } from '../memory/mechanisms/mechanism.js';
import { NaiveMemory } from '../memory/naive.js';
import type { QuerySimilarity } from '../memory/querySimilarity.js';
import { NestedSelector, newSelection, type Selection } from '../memory/selection.js';
import { type RankedBlock, rankedRows } from '../retrieval/ranking.js';
import type { Anchor } from './anchors.js';
import { rankingHash, selectionHash } from './commitments.js';
import { type Budgets, newRowBatch, type RowBatch, type ShardHashes, type ShardKey } from './rowBatch.js';
import { RowMeter } from './rowMetrics.js';

/** One retriever and mechanism over the stream: what a shard of rows is made for. */
export interface ReplayArm {
  readonly key: ShardKey;
  readonly hashes: ShardHashes;
  /** The fixed base retriever's lists by request index. */
  readonly base: RankedBlock;
  readonly mechanism: MemoryMechanism;
}

export interface StreamReplayInput {
  readonly log: EventLog;
  readonly anchors: readonly Anchor[];
  readonly conditions: readonly Condition[];
  readonly budgets: Budgets;
  readonly similarity: QuerySimilarity;
  readonly arms: readonly ReplayArm[];
  readonly products: Products;
  /** [requests] rows of the snapshot at each request; the whole corpus under the frozen reading. */
  readonly visibleRows: Uint32Array;
  /** [assets] type vector and its names. */
  readonly types: Uint16Array;
  readonly typeNames: readonly string[];
  /** Ascending. */
  readonly cutoffs: readonly number[];
  /** Metrics of the whole run; those of asset types that this domain does not have stay undefined. */
  readonly metricNames: readonly string[];
  /** Called after each anchor with the number of rows that are done. */
  readonly onProgress?: (rows: number) => void;
}

/**
 * The paired replay over one stream (PIT Discovery sections 3.4 and 4.4). At each anchor every condition receives the
 * same request, base list, mechanism and budgets; only the eligibility of memory differs. What conditions and arms share
 * is done once: similarities, the nested views, and a ranking whenever two nested views select the same entries.
 */
export function replayStream(input: StreamReplayInput): RowBatch[] {
  const { log, anchors, conditions, budgets, arms, products, cutoffs } = input;
  const size = anchors.length * conditions.length;
  const conditionNames = conditions.map((condition) => condition.name);
  const meter = new RowMeter(cutoffs, input.types, input.typeNames);
  const batches = arms.map(({ key, hashes, mechanism }) =>
    newRowBatch(
      { key, hashes, budgets, mechanismUsesGold: mechanism.usesGold, size, conditionNames },
      input.metricNames,
    ),
  );
  const writers = arms.map((arm, i) => new ArmWriter(arm, batches[i]!, meter, input));
  const views = [...new Set(arms.map((arm) => arm.mechanism.reads))].map((reads) => ({
    reads,
    dependencyAt: newestDependencyTimes(log, reads),
    selector: new NestedSelector(budgets.capacity, conditions),
  }));
  const naive = new NaiveMemory(log.requestAt, budgets.capacity);
  const naiveSelection = newSelection(budgets.capacity);
  const nothing = newSelection(0);
  const similarities = new Float64Array(log.size);
  const index = {
    stateless: conditions.findIndex((condition) => condition.kind === 'stateless'),
    naive: conditions.findIndex((condition) => condition.kind === 'naive'),
    nested: new Map(conditions.map((condition, i) => [condition.name, i])),
  };

  let row = 0;
  for (const anchor of anchors) {
    const request = log.requestAt[anchor.position]!;
    const clock: AnchorClock = { position: anchor.position, observedAt: log.observedAt[anchor.position]! };
    const product = productOf(products, request);
    meter.begin(product.subarray(0, countBelow(product, input.visibleRows[request]!)));
    input.similarity.fill(request, similarities);
    naive.materialise(similarities);
    naive.lookup(anchor.position, naiveSelection);
    for (const view of views) {
      view.selector.select(clock, similarities, log.requestAt, view.dependencyAt);
      for (const writer of writers) {
        if (writer.reads !== view.reads) continue;
        writer.begin(anchor, clock, request);
        writer.write(row + index.stateless, index.stateless, nothing, view.dependencyAt);
        writer.write(row + index.naive, index.naive, naiveSelection, view.dependencyAt);
        let narrower = 0;
        for (const name of view.selector.viewNames) {
          const condition = index.nested.get(name)!;
          if (view.selector.equalsNarrower(name)) writer.copy(row + narrower, row + condition, condition);
          else writer.write(row + condition, condition, view.selector.view(name), view.dependencyAt);
          narrower = condition;
        }
      }
    }
    row += conditions.length;
    input.onProgress?.(row * arms.length);
  }
  return batches;
}

/** How many of the ascending rows lie below a bound. */
export function countBelow(rows: Uint32Array, bound: number): number {
  let count = rows.length;
  while (count > 0 && rows[count - 1]! >= bound) count--;
  return count;
}

/** Writes the rows of one arm. */
class ArmWriter {
  readonly reads: MemoryMechanism['reads'];
  readonly #arm: ReplayArm;
  readonly #batch: RowBatch;
  readonly #meter: RowMeter;
  readonly #input: StreamReplayInput;
  readonly #output: MechanismOutput;
  readonly #entryRequests: Uint32Array;
  #anchor: Anchor = { position: 0, quartile: 0 };
  #clock: AnchorClock = { position: 0, observedAt: 0 };
  #request = 0;

  constructor(arm: ReplayArm, batch: RowBatch, meter: RowMeter, input: StreamReplayInput) {
    this.reads = arm.mechanism.reads;
    this.#arm = arm;
    this.#batch = batch;
    this.#meter = meter;
    this.#input = input;
    this.#output = newMechanismOutput(batch.budgets.outputDepth);
    this.#entryRequests = new Uint32Array(batch.budgets.capacity);
  }

  begin(anchor: Anchor, clock: AnchorClock, request: number): void {
    this.#anchor = anchor;
    this.#clock = clock;
    this.#request = request;
  }

  write(row: number, condition: number, selection: Selection, dependencyAt: Float64Array): void {
    const batch = this.#batch;
    batch.condition[row] = condition;
    batch.anchorPosition[row] = this.#anchor.position;
    batch.quartile[row] = this.#anchor.quartile;
    batch.request[row] = this.#request;
    batch.anchorClock[row] = this.#clock.observedAt;
    batch.visibleRows[row] = this.#input.visibleRows[this.#request]!;
    this.#writeSelection(row, selection, dependencyAt);
    this.#rank(selection);
    this.#writeRanking(row);
  }

  /** Writes what another condition of the same anchor, which selected the same entries, came to. */
  copy(from: number, to: number, condition: number): void {
    const batch = this.#batch;
    batch.condition[to] = condition;
    batch.anchorPosition[to] = batch.anchorPosition[from]!;
    batch.quartile[to] = batch.quartile[from]!;
    batch.request[to] = batch.request[from]!;
    batch.anchorClock[to] = batch.anchorClock[from]!;
    batch.visibleRows[to] = batch.visibleRows[from]!;
    batch.slotsFilled[to] = batch.slotsFilled[from]!;
    batch.futureSlots[to] = batch.futureSlots[from]!;
    batch.temporalViolationRate[to] = batch.temporalViolationRate[from]!;
    batch.listLength[to] = batch.listLength[from]!;
    batch.selectionHash[to] = batch.selectionHash[from]!;
    batch.rankingHash[to] = batch.rankingHash[from]!;
    const { capacity, outputDepth } = batch.budgets;
    const slots = [
      batch.selectedPositions,
      batch.selectedSimilarities,
      batch.selectedObservedAt,
      batch.selectedDependencyAt,
    ];
    for (const column of slots) column.copyWithin(to * capacity, from * capacity, (from + 1) * capacity);
    batch.ranking.copyWithin(to * outputDepth, from * outputDepth, (from + 1) * outputDepth);
    for (const column of batch.metrics.values()) column[to] = column[from]!;
  }

  #writeSelection(row: number, selection: Selection, dependencyAt: Float64Array): void {
    const batch = this.#batch;
    const { log } = this.#input;
    const { count } = selection;
    const start = row * batch.budgets.capacity;
    for (let k = 0; k < count; k++) {
      const position = selection.positions[k]!;
      batch.selectedPositions[start + k] = position;
      batch.selectedSimilarities[start + k] = selection.similarities[k]!;
      batch.selectedObservedAt[start + k] = log.observedAt[position]!;
      batch.selectedDependencyAt[start + k] = dependencyAt[position]!;
    }
    const times = batch.selectedDependencyAt.subarray(start, start + count);
    const futureSlots = countFuture(this.#clock, times, count);
    batch.slotsFilled[row] = count;
    batch.futureSlots[row] = futureSlots;
    batch.temporalViolationRate[row] = count === 0 ? 0 : futureSlots / count;
    batch.selectionHash[row] = selectionHash(
      batch.selectedPositions.subarray(start, start + count),
      batch.selectedSimilarities.subarray(start, start + count),
      times,
    );
  }

  #rank(selection: Selection): void {
    const { log, visibleRows } = this.#input;
    for (let k = 0; k < selection.count; k++) this.#entryRequests[k] = log.requestAt[selection.positions[k]!]!;
    this.#arm.mechanism.rank(
      {
        baseRows: rankedRows(this.#arm.base, this.#request),
        entryCount: selection.count,
        entryRequests: this.#entryRequests,
        entrySimilarities: selection.similarities,
        visibleRows: visibleRows[this.#request]!,
      },
      this.#output,
    );
  }

  #writeRanking(row: number): void {
    const batch = this.#batch;
    const ranking = this.#output.rows.subarray(0, this.#output.length);
    batch.listLength[row] = ranking.length;
    batch.ranking.set(ranking, row * batch.budgets.outputDepth);
    batch.rankingHash[row] = rankingHash(ranking);
    this.#meter.measure(ranking);
    for (const [index, name] of this.#meter.names.entries()) batch.metrics.get(name)![row] = this.#meter.values[index]!;
  }
}
