import type { LogCommitment } from '../../commitment/merkleTree.js';
import { hashBytes } from '../commitments.js';
import type { HistoricalState } from '../historicalState.js';
import type { StreamKind } from '../streams/stream.js';

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
  /** Commitment of the event log that memory is read from. */
  readonly eventLog: LogCommitment;
  /** State at each anchor, in the order of the anchors. */
  readonly states: readonly HistoricalState[];
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
  /** [size, 32] SHA-256 of each row's selection. */
  readonly selectionHash: Uint8Array;
  /** [size, 32] SHA-256 of each row's ranking. */
  readonly rankingHash: Uint8Array;
}

/** An empty batch whose columns lie in shared memory, so that worker threads write their rows in place. */
export function newRowBatch(
  shape: Pick<
    RowBatch,
    'key' | 'hashes' | 'eventLog' | 'states' | 'budgets' | 'mechanismUsesGold' | 'size' | 'conditionNames'
  >,
  metricNames: readonly string[],
): RowBatch {
  const { size, budgets } = shape;
  const slots = size * budgets.capacity;
  const bytes = (count: number) => new Uint8Array(new SharedArrayBuffer(count));
  const integers = (count: number) => new Uint32Array(new SharedArrayBuffer(count * 4));
  const numbers = (count: number) => new Float64Array(new SharedArrayBuffer(count * 8));
  return {
    ...shape,
    condition: bytes(size),
    anchorPosition: integers(size),
    quartile: bytes(size),
    request: integers(size),
    anchorClock: numbers(size),
    visibleRows: integers(size),
    slotsFilled: integers(size),
    selectedPositions: integers(slots),
    selectedSimilarities: numbers(slots),
    selectedObservedAt: numbers(slots),
    selectedDependencyAt: numbers(slots),
    futureSlots: integers(size),
    temporalViolationRate: numbers(size),
    listLength: integers(size),
    ranking: integers(size * budgets.outputDepth),
    metrics: new Map(metricNames.map((name) => [name, numbers(size).fill(Number.NaN)])),
    selectionHash: bytes(size * hashBytes),
    rankingHash: bytes(size * hashBytes),
  };
}
