import type { PerfectSubtree } from '../../commitment/merkleTree.js';
import type { IngestMapping } from '../../corpus/ingest/mapping.js';
import type { Instant } from '../../time/instant.js';

/** A segment as the catalog records it: an immutable part of the asset log. */
export interface SegmentRecord {
  readonly id: number;
  /** Versions of assets in `rows.parquet`; there is no such file when 0. */
  readonly rows: number;
  /** Withdrawals in `withdrawals.parquet`; there is no such file when 0. */
  readonly withdrawals: number;
  /** Commitment over its rows in order: Merkle root of their log entries. */
  readonly contentHash: string;
  /** SHA-256 of the files; null where there is none. */
  readonly rowsSha256: string | null;
  readonly withdrawalsSha256: string | null;
}

/** What a commit did, in operations and records. */
export interface CommitCounts {
  /** Records read; the following add up to it, but for `withdrawn`. */
  readonly read: number;
  /** Assets seen for the first time. */
  readonly added: number;
  /** New versions of assets that the log knew. */
  readonly versions: number;
  /** Records whose content was current already, or whose operation the log holds. */
  readonly unchanged: number;
  /** Records that a later one of the same asset and the same instant replaced. */
  readonly replaced: number;
  /** Records that could not be used, written beside the log with their reasons. */
  readonly rejected: number;
  /** Ends of availability. */
  readonly withdrawn: number;
  /** Operations that became available before the newest one the log held: they change answers as of later instants. */
  readonly late: number;
  /** Versions whose event time lies after their availability: announced ahead. */
  readonly ahead: number;
}

/** A change of the log, from one committed state to the next. */
export interface CommitRecord extends CommitCounts {
  readonly kind: 'ingest' | 'withdraw';
  /** When it was written (materialisation time): provenance, never eligibility. */
  readonly at: Instant;
  /** The file as it was named; `-` for standard input, null for a withdrawal. */
  readonly source: string | null;
  readonly sourceSha256: string | null;
  /** Commitment to the log after it. */
  readonly size: number;
  readonly root: string;
}

/** A file computed from a segment, such as an index. */
export interface DerivedRecord {
  readonly segment: number;
  readonly name: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Something that no state names any more, kept for readers of the generations before this one. */
export interface RetiredRecord {
  readonly path: string;
  readonly generation: number;
}

/** All that a workspace is at a moment, but for the rows themselves. Values are never changed, only replaced. */
export interface WorkspaceState {
  readonly generation: number;
  /** The mapping of the last ingest, which the next one uses unless it says otherwise. */
  readonly mapping: IngestMapping | null;
  /** In the order of their ids. */
  readonly segments: readonly SegmentRecord[];
  readonly nextSegment: number;
  readonly commits: readonly CommitRecord[];
  readonly derived: readonly DerivedRecord[];
  readonly retired: readonly RetiredRecord[];
  /** Right edge of the Merkle tree over the log. */
  readonly logEdge: readonly PerfectSubtree[];
  /** The latest instant of any operation; null in an empty log. */
  readonly newest: Instant | null;
}

export function emptyState(mapping: IngestMapping | null): WorkspaceState {
  return {
    generation: 1,
    mapping,
    segments: [],
    nextSegment: 1,
    commits: [],
    derived: [],
    retired: [],
    logEdge: [],
    newest: null,
  };
}

/** Number of operations in the log. */
export function logSize(state: WorkspaceState): number {
  return state.logEdge.reduce((sum, subtree) => sum + subtree.size, 0);
}

/**
 * Up to when the log has given its answers: the newest instant in it, or its last commit, whichever is later. Whoever asked
 * as of an instant before may have been answered. Undefined for an empty log, which has answered nothing.
 */
export function settledUpTo({ newest, commits }: WorkspaceState): Instant | undefined {
  if (newest === null) return undefined;
  return commits.reduce((latest, { at }) => Math.max(latest, at), newest);
}
