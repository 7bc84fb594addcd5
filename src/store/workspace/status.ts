import type { DuckDBConnection } from '@duckdb/node-api';
import type { LogCommitment } from '../../commitment/merkleTree.js';
import type { IngestMapping } from '../../corpus/ingest/mapping.js';
import type { Instant } from '../../time/instant.js';
import { type OperationScope, operationsQuery } from './operations.js';
import type { CommitCounts, CommitRecord, SegmentRecord, WorkspaceState } from './state.js';

/** What a workspace holds, in figures. */
export interface WorkspaceStatus {
  readonly formatVersion: number;
  readonly generation: number;
  readonly log: LogCommitment;
  /** Distinct assets. */
  readonly assets: number;
  /** Versions of them. */
  readonly versions: number;
  readonly withdrawals: number;
  /** Assets that are current as of `asOf`. */
  readonly asOf: Instant;
  readonly current: number;
  /** First and last time of availability; null in an empty log. */
  readonly availableAt: { readonly first: Instant; readonly last: Instant } | null;
  readonly segments: readonly SegmentRecord[];
  readonly commits: readonly CommitRecord[];
  /** The commits' counts, added up. */
  readonly totals: CommitCounts;
  /** Derived files: how many, and their bytes. */
  readonly derived: { readonly files: number; readonly bytes: number };
  readonly mapping: IngestMapping | null;
}

export async function readStatus(
  connection: DuckDBConnection,
  scope: OperationScope,
  state: WorkspaceState,
  log: LogCommitment,
  formatVersion: number,
  asOf: Instant,
): Promise<WorkspaceStatus> {
  const one = async (query: string) => (await (await connection.run(query)).getRows())[0]!;
  const operations = operationsQuery(scope);
  const [assets, versions, withdrawals, first, last] = await one(
    `SELECT count(DISTINCT id) FILTER (kind = 0), count(*) FILTER (kind = 0), count(*) FILTER (kind = 1),
       min(instant) FILTER (kind = 0), max(instant) FILTER (kind = 0) FROM ${operations}`,
  );
  const [current] = await one(
    `SELECT count(*) FROM (SELECT DISTINCT ON (id) kind FROM ${operations} WHERE instant <= ${asOf}
       ORDER BY id, instant DESC, sequence DESC) WHERE kind = 0`,
  );
  return {
    formatVersion,
    generation: state.generation,
    log,
    assets: Number(assets),
    versions: Number(versions),
    withdrawals: Number(withdrawals),
    asOf,
    current: Number(current),
    availableAt: first === null ? null : { first: Number(first), last: Number(last) },
    segments: state.segments,
    commits: state.commits,
    totals: addUp(state.commits),
    derived: {
      files: state.derived.length,
      bytes: state.derived.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    mapping: state.mapping,
  };
}

const noCounts: CommitCounts = {
  read: 0,
  added: 0,
  versions: 0,
  unchanged: 0,
  replaced: 0,
  rejected: 0,
  withdrawn: 0,
  late: 0,
  ahead: 0,
};

/** Counts of several commits or files, added up. */
export function addUp(counts: readonly CommitCounts[]): CommitCounts {
  const total: Record<string, number> = { ...noCounts };
  for (const item of counts) {
    for (const key of Object.keys(noCounts)) total[key]! += item[key as keyof CommitCounts];
  }
  return total as unknown as CommitCounts;
}
