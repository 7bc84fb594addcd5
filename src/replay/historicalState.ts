import type { MerkleLog } from '../commitment/merkleLog.js';
import { type EventLog, memorySize } from '../memory/eventLog.js';
import type { Anchor } from './plan/anchors.js';

/** Paths of the two proofs of an anchor. */
export interface PrefixProofs {
  readonly snapshot: readonly string[];
  readonly memory: readonly string[];
}

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
  /** Consistency proofs (RFC 9162 section 2.1.4), hexadecimal hashes: that snapshot and memory are prefixes of the logs. */
  readonly proofs: PrefixProofs;
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
  const snapshots = new Map<number, { root: string; path: readonly string[] }>();
  return anchors.map(({ position }) => {
    const rows = visibleRows[log.requestAt[position]!]!;
    const snapshot = snapshots.get(rows) ?? prefixOf(trees.assets, rows);
    snapshots.set(rows, snapshot);
    const memoryEvents = memorySize(log, log.observedAt[position]!);
    const memory = prefixOf(trees.events, memoryEvents);
    return {
      snapshotRoot: snapshot.root,
      memoryEvents,
      memoryRoot: memory.root,
      proofs: { snapshot: snapshot.path, memory: memory.path },
    };
  });
}

function prefixOf(tree: MerkleLog, size: number): { root: string; path: readonly string[] } {
  return { root: tree.commitment(size).root, path: tree.consistencyProof(size).path };
}
