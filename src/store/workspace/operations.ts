import { quotePath } from '../../columnar/quotePath.js';
import { leafHash } from '../../commitment/merkleTree.js';
import type { Instant } from '../../time/instant.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import type { SegmentRecord } from './state.js';

/**
 * The asset log in SQL. An operation puts a version of an asset (`kind` 0) or withdraws the asset (`kind` 1), at the
 * `instant`; `sequence` counts the operations in the order in which they were committed.
 *
 * What is current: of the operations on an asset up to t, in the order of (`instant`, `sequence`), the last one decides at t.
 */
export const operationKinds = { put: 0, withdraw: 1 } as const;

/** Which operations to look at. */
export interface OperationScope {
  readonly folder: string;
  readonly segments: readonly SegmentRecord[];
  /** Size of the log: operations from this sequence number on are left out. */
  readonly size: number;
}

/**
 * The operations as a subquery: kind, id, instant, sequence, content_hash (null for a withdrawal), segment, row (null for a
 * withdrawal).
 *
 * @param where a condition on id, for example `id = $1`
 */
export function operationsQuery({ folder, segments, size }: OperationScope, where = 'true'): string {
  const parts: string[] = [];
  for (const { id, rows, withdrawals } of segments) {
    const condition = `WHERE sequence < ${size} AND ${where}`;
    if (rows > 0) {
      const file = quotePath(inWorkspace(folder, workspaceLayout.rows(id)));
      parts.push(
        `SELECT 0::TINYINT AS kind, id, available_at AS instant, sequence, content_hash, ${id} AS segment,` +
          ` file_row_number AS row FROM read_parquet(${file}, file_row_number = true) ${condition}`,
      );
    }
    if (withdrawals > 0) {
      const file = quotePath(inWorkspace(folder, workspaceLayout.withdrawals(id)));
      parts.push(
        `SELECT 1::TINYINT AS kind, id, instant, sequence, NULL AS content_hash, ${id} AS segment, NULL AS row` +
          ` FROM read_parquet(${file}) ${condition}`,
      );
    }
  }
  const none =
    'SELECT 0::TINYINT AS kind, NULL::VARCHAR AS id, NULL::BIGINT AS instant, NULL::BIGINT AS sequence,' +
    ' NULL::VARCHAR AS content_hash, 0 AS segment, NULL::BIGINT AS row WHERE false';
  return `(${parts.length === 0 ? none : parts.join(' UNION ALL ')})`;
}

/**
 * The versions with the end of each one's currency, as a subquery: segment, row, ends_at (null while current), ended_by
 * (kind of the operation that ends it).
 */
export function currencyQuery(scope: OperationScope, where?: string): string {
  return (
    `(SELECT segment, row, ends_at, ended_by FROM (` +
    ` SELECT kind, segment, row, lead(instant) OVER timeline AS ends_at, lead(kind) OVER timeline AS ended_by` +
    ` FROM ${operationsQuery(scope, where)} WINDOW timeline AS (PARTITION BY id ORDER BY instant, sequence)) WHERE kind = 0)`
  );
}

/** Whole versions as a subquery: the columns of `rows.parquet`, segment and row. */
export function versionsQuery({ folder, segments }: OperationScope, where = 'true'): string {
  const parts = segments
    .filter(({ rows }) => rows > 0)
    .map(({ id }) => {
      const file = quotePath(inWorkspace(folder, workspaceLayout.rows(id)));
      return `SELECT *, ${id} AS segment FROM read_parquet(${file}, file_row_number = true) WHERE ${where}`;
    });
  return `(${parts.join(' UNION ALL ')})`;
}

/**
 * Leaf of the log's Merkle tree for an operation. The bytes are those of the JSON list
 * [kind, id, at in epoch milliseconds, content hash or null].
 */
export function operationLeaf(kind: number, id: string, at: Instant, contentHash: string | null): Buffer {
  return leafHash(JSON.stringify([kind === operationKinds.put ? 'put' : 'withdraw', id, at, contentHash]));
}
