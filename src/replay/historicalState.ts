import type { MerkleLog } from '../commitment/merkleLog.js';
import { type EventLog, memorySize } from '../memory/eventLog.js';
import type { Anchor } from './anchors.js';

/**
 * The historical state that an answer at an anchor may be computed from, θ apart: the snapshot D_t and the memory M_<i,
 * both as prefixes of their logs (PIT Discovery section 3.2). Every row carries it.
 */
export interface HistoricalState {
  /** Merkle root, hexadecimal, over the first `corpus_rows` entries of the asset log. */
  readonly snapshotRoot: string;
  /** Events observed strictly before the anchor: a prefix of the event log. */
  readonly memoryEvents: number;
  /** Merkle root, hexadecimal, over them. */
  readonly memoryRoot: string;
}

/**
 * States at the anchors of a stream, one each.
 * @param visibleRows [requests] rows of the snapshot at each request
 */
export function historicalStates(
  anchors: readonly Anchor[],
  log: EventLog,
  trees: { readonly events: MerkleLog; readonly assets: MerkleLog },
  visibleRows: Uint32Array,
): HistoricalState[] {
  const snapshotRoots = new Map<number, string>();
  return anchors.map(({ position }) => {
    const rows = visibleRows[log.requestAt[position]!]!;
    const snapshotRoot = snapshotRoots.get(rows) ?? trees.assets.commitment(rows).root;
    snapshotRoots.set(rows, snapshotRoot);
    const memory = trees.events.commitment(memorySize(log, log.observedAt[position]!));
    return { snapshotRoot, memoryEvents: memory.size, memoryRoot: memory.root };
  });
}
