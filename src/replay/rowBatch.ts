import type { StreamKind } from './streams/stream.js';

/** What all rows of a shard share: one stream and seed of one domain under one retriever and one mechanism. */
export interface ShardKey {
  readonly domain: string;
  /** Label of the stream's specification, for example `random`. */
  readonly stream: string;
  readonly streamKind: StreamKind;
  readonly seed: number;
  readonly retriever: string;
  readonly mechanism: string;
}

/** Hashes that every row of a shard carries (PIT Discovery Table 3, recorded certificates). */
export interface ShardHashes {
  readonly corpus: string;
  readonly types: string;
  readonly requests: string;
  readonly index: string;
  readonly stream: string;
  readonly eventLog: string;
  readonly model: string;
}

/** Budgets, equal for every condition. */
export interface Budgets {
  /** d, entries of a trace. */
  readonly traceDepth: number;
  /** Most memory entries selected. */
  readonly capacity: number;
  readonly baseDepth: number;
  readonly outputDepth: number;
}

/**
 * Rows of one shard, column by column: anchors in stream order, and for each the conditions in the order of
 * `conditionNames`. The specification's Row, before it becomes Parquet or JSON Lines.
 */
export interface RowBatch {
  readonly key: ShardKey;
  readonly hashes: ShardHashes;
  readonly budgets: Budgets;
  /** The mechanism is an oracle that reads labels. */
  readonly mechanismUsesGold: boolean;
  readonly size: number;
  readonly conditionNames: readonly string[];
  /** [size] index into `conditionNames`. */
  readonly condition: Uint8Array;
  readonly anchorPosition: Uint32Array;
  readonly quartile: Uint8Array;
  /** [size] request index. */
  readonly request: Uint32Array;
  /** [size] o(q_i): epoch milliseconds, or the position. */
  readonly anchorClock: Float64Array;
  /** [size] rows of the snapshot at the anchor. */
  readonly visibleRows: Uint32Array;
  /** [size] selected entries. */
  readonly slotsFilled: Uint32Array;
  /** [size, capacity] stream positions of the selected entries. */
  readonly selectedPositions: Uint32Array;
  /** [size, capacity] */
  readonly selectedSimilarities: Float64Array;
  /** [size, capacity] o(e) of each entry. */
  readonly selectedObservedAt: Float64Array;
  /** [size, capacity] newest observation time among all that the entry depends on. */
  readonly selectedDependencyAt: Float64Array;
  /** [size] entries not observed strictly before the anchor. */
  readonly futureSlots: Uint32Array;
  readonly temporalViolationRate: Float64Array;
  /** [size] length of the ranking. */
  readonly listLength: Uint32Array;
  /** [size, outputDepth] corpus rows, best first. */
  readonly ranking: Uint32Array;
  /** By metric name, [size]; NaN stands for null (not defined for this request). */
  readonly metrics: ReadonlyMap<string, Float64Array>;
  readonly selectionHash: string[];
  readonly rankingHash: string[];
}

export function newRowBatch(
  shape: Pick<RowBatch, 'key' | 'hashes' | 'budgets' | 'mechanismUsesGold' | 'size' | 'conditionNames'>,
  metricNames: readonly string[],
): RowBatch {
  const { size, budgets } = shape;
  const slots = size * budgets.capacity;
  return {
    ...shape,
    condition: new Uint8Array(size),
    anchorPosition: new Uint32Array(size),
    quartile: new Uint8Array(size),
    request: new Uint32Array(size),
    anchorClock: new Float64Array(size),
    visibleRows: new Uint32Array(size),
    slotsFilled: new Uint32Array(size),
    selectedPositions: new Uint32Array(slots),
    selectedSimilarities: new Float64Array(slots),
    selectedObservedAt: new Float64Array(slots),
    selectedDependencyAt: new Float64Array(slots),
    futureSlots: new Uint32Array(size),
    temporalViolationRate: new Float64Array(size),
    listLength: new Uint32Array(size),
    ranking: new Uint32Array(size * budgets.outputDepth),
    metrics: new Map(metricNames.map((name) => [name, new Float64Array(size).fill(Number.NaN)])),
    selectionHash: new Array<string>(size).fill(''),
    rankingHash: new Array<string>(size).fill(''),
  };
}

/** Index of the row of a condition at the same anchor as `row`. */
export function sibling(batch: RowBatch, row: number, condition: number): number {
  return row - batch.condition[row]! + condition;
}
