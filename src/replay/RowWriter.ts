import { type AnchorClock, countFuture } from '../memory/eligibility.js';
import type { EventLog } from '../memory/eventLog.js';
import { type MechanismOutput, type MemoryMechanism, newMechanismOutput } from '../memory/mechanisms/mechanism.js';
import { viewLanes } from '../memory/mechanisms/ViewScores.js';
import type { SelectionUnion } from '../memory/SelectionUnion.js';
import type { Selection } from '../memory/selection.js';
import { type RankedBlock, rankedRows } from '../retrieval/ranking.js';
import type { Anchor } from './anchors.js';
import { hashBytes, rankingHash, selectionHash } from './commitments.js';
import type { RowBatch } from './rowBatch.js';
import type { RowMeter } from './rowMetrics.js';

export interface RowWriterOptions {
  readonly base: RankedBlock;
  readonly mechanism: MemoryMechanism;
  readonly batch: RowBatch;
  readonly meter: RowMeter;
  readonly log: EventLog;
  /** [requests] rows of the snapshot at each request. */
  readonly visibleRows: Uint32Array;
}

/** Turns a selection into a row: ranks with the mechanism, measures, hashes, and writes everything into the batch. */
export class RowWriter {
  readonly reads: MemoryMechanism['reads'];
  readonly #options: RowWriterOptions;
  /** One for each view that a mechanism ranks at a time. */
  readonly #outputs: readonly MechanismOutput[];
  readonly #entryRequests: Uint32Array;
  readonly #metricColumns: readonly Float64Array[];
  #anchor: Anchor = { position: 0, quartile: 0 };
  #clock: AnchorClock = { position: 0, observedAt: 0 };
  #request = 0;
  #dependencyAt: Float64Array = new Float64Array(0);

  constructor(options: RowWriterOptions) {
    const { batch, mechanism, meter } = options;
    this.reads = mechanism.reads;
    this.#options = options;
    this.#outputs = Array.from({ length: viewLanes }, () => newMechanismOutput(batch.budgets.outputDepth));
    this.#entryRequests = new Uint32Array(viewLanes * batch.budgets.capacity);
    this.#metricColumns = meter.names.map((name) => batch.metrics.get(name)!);
  }

  /** @param dependencyAt [events] newest dependency time by position */
  begin(anchor: Anchor, clock: AnchorClock, request: number, dependencyAt: Float64Array): void {
    this.#anchor = anchor;
    this.#clock = clock;
    this.#request = request;
    this.#dependencyAt = dependencyAt;
  }

  write(row: number, condition: number, selection: Selection): void {
    this.#writeAnchor(row, condition);
    this.#writeSelection(row, selection);
    this.#rank(selection, this.#outputs[0]!);
    this.#writeRanking(row, this.#outputs[0]!);
  }

  /**
   * Writes what several conditions selected, each to the row of its number from `firstRow` on, ranked together where the
   * mechanism can.
   * @param conditions condition of each selection, as many as there are selections
   * @param union of the selections, `viewLanes` at most
   */
  writeViews(firstRow: number, conditions: readonly number[], selections: readonly Selection[], union: SelectionUnion) {
    const { mechanism, log, base, visibleRows } = this.#options;
    if (mechanism.rankViews === undefined) {
      for (const [view, condition] of conditions.entries()) {
        this.write(firstRow + condition, condition, selections[view]!);
      }
      return;
    }
    for (let k = 0; k < union.count; k++) this.#entryRequests[k] = log.requestAt[union.positions[k]!]!;
    const outputs = this.#outputs.slice(0, selections.length);
    mechanism.rankViews(
      {
        baseRows: rankedRows(base, this.#request),
        entryCount: union.count,
        entryRequests: this.#entryRequests,
        entrySimilarities: union.similarities,
        entryViews: union.holders,
        visibleRows: visibleRows[this.#request]!,
      },
      outputs,
    );
    for (const [view, condition] of conditions.entries()) {
      const row = firstRow + condition;
      this.#writeAnchor(row, condition);
      this.#writeSelection(row, selections[view]!);
      this.#writeRanking(row, outputs[view]!);
    }
  }

  /** Writes what another condition of the same anchor, which selected the same entries, came to. */
  copy(from: number, to: number, condition: number): void {
    const { batch } = this.#options;
    const { capacity, outputDepth } = batch.budgets;
    copyRow(batch.anchorPosition, from, to);
    copyRow(batch.quartile, from, to);
    copyRow(batch.request, from, to);
    copyRow(batch.anchorClock, from, to);
    copyRow(batch.visibleRows, from, to);
    copyRow(batch.slotsFilled, from, to);
    copyRow(batch.futureSlots, from, to);
    copyRow(batch.temporalViolationRate, from, to);
    copyRow(batch.listLength, from, to);
    copyRow(batch.selectedPositions, from, to, capacity);
    copyRow(batch.selectedSimilarities, from, to, capacity);
    copyRow(batch.selectedObservedAt, from, to, capacity);
    copyRow(batch.selectedDependencyAt, from, to, capacity);
    copyRow(batch.ranking, from, to, outputDepth);
    copyRow(batch.selectionHash, from, to, hashBytes);
    copyRow(batch.rankingHash, from, to, hashBytes);
    for (const column of this.#metricColumns) copyRow(column, from, to);
    batch.condition[to] = condition;
  }

  #writeAnchor(row: number, condition: number): void {
    const { batch, visibleRows } = this.#options;
    batch.condition[row] = condition;
    batch.anchorPosition[row] = this.#anchor.position;
    batch.quartile[row] = this.#anchor.quartile;
    batch.request[row] = this.#request;
    batch.anchorClock[row] = this.#clock.observedAt;
    batch.visibleRows[row] = visibleRows[this.#request]!;
  }

  #writeSelection(row: number, selection: Selection): void {
    const { batch, log } = this.#options;
    const { count } = selection;
    const start = row * batch.budgets.capacity;
    for (let k = 0; k < count; k++) {
      const position = selection.positions[k]!;
      batch.selectedPositions[start + k] = position;
      batch.selectedSimilarities[start + k] = selection.similarities[k]!;
      batch.selectedObservedAt[start + k] = log.observedAt[position]!;
      batch.selectedDependencyAt[start + k] = this.#dependencyAt[position]!;
    }
    const times = batch.selectedDependencyAt.subarray(start, start + count);
    const futureSlots = countFuture(this.#clock, times, count);
    batch.slotsFilled[row] = count;
    batch.futureSlots[row] = futureSlots;
    batch.temporalViolationRate[row] = count === 0 ? 0 : futureSlots / count;
    const positions = batch.selectedPositions.subarray(start, start + count);
    const similarities = batch.selectedSimilarities.subarray(start, start + count);
    batch.selectionHash.set(selectionHash(positions, similarities, times), row * hashBytes);
  }

  #rank(selection: Selection, output: MechanismOutput): void {
    const { base, mechanism, log, visibleRows } = this.#options;
    for (let k = 0; k < selection.count; k++) this.#entryRequests[k] = log.requestAt[selection.positions[k]!]!;
    mechanism.rank(
      {
        baseRows: rankedRows(base, this.#request),
        entryCount: selection.count,
        entryRequests: this.#entryRequests,
        entrySimilarities: selection.similarities,
        visibleRows: visibleRows[this.#request]!,
      },
      output,
    );
  }

  #writeRanking(row: number, output: MechanismOutput): void {
    const { batch, meter } = this.#options;
    const ranking = output.rows.subarray(0, output.length);
    batch.listLength[row] = ranking.length;
    batch.ranking.set(ranking, row * batch.budgets.outputDepth);
    batch.rankingHash.set(rankingHash(ranking), row * hashBytes);
    meter.measure(ranking);
    for (let metric = 0; metric < this.#metricColumns.length; metric++) {
      this.#metricColumns[metric]![row] = meter.values[metric]!;
    }
  }
}

/** Copies row `from` of a column over row `to`; a row is `width` numbers. */
function copyRow(
  column: { copyWithin(target: number, start: number, end: number): unknown },
  from: number,
  to: number,
  width = 1,
): void {
  column.copyWithin(to * width, from * width, (from + 1) * width);
}
