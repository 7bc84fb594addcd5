import type { DuckDBConnection } from '@duckdb/node-api';
import { MerkleAccumulator } from '../../commitment/merkleTree.js';
import { AsofError } from '../../errors/AsofError.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { digestOf } from '../runs/digestOf.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import { operationLeaf, operationsQuery } from './operations.js';
import { queryRows } from './queryRows.js';
import { logSize, type WorkspaceState } from './state.js';

/**
 * Checks every file that the state names against its hash, and the log's commitments against the rows.
 *
 * @throws ForeignFileError for the first file that is missing or damaged, or the first commit that the rows do not give
 */
export async function verifyWorkspace(
  folder: string,
  state: WorkspaceState,
  connection: DuckDBConnection,
): Promise<void> {
  await checkFiles(folder, state);
  const roots = new Map(state.commits.map(({ size, root }) => [size, root]));
  const log = new MerkleAccumulator();
  const scope = { folder, segments: state.segments, size: logSize(state) };
  const query = `SELECT kind, id, instant, content_hash FROM ${operationsQuery(scope)} ORDER BY sequence`;
  for await (const chunk of queryRows(connection, query)) {
    for (const [kind, id, instant, contentHash] of chunk) {
      log.appendLeafHash(operationLeaf(kind as number, id as string, Number(instant), contentHash as string | null));
      const root = roots.get(log.size);
      if (root !== undefined && root !== log.commitment().root) {
        throw new ForeignFileError({
          file: folder,
          reason: `the log does not give its commitment of size ${log.size}`,
        });
      }
      roots.delete(log.size);
    }
  }
  if (roots.size > 0 || log.size !== scope.size) {
    throw new ForeignFileError({ file: folder, reason: `the log holds ${log.size} operations of ${scope.size}` });
  }
}

/**
 * Checks every file that the state names against its hash.
 *
 * @throws ForeignFileError for the first file that is missing or damaged
 */
export async function checkFiles(folder: string, state: WorkspaceState): Promise<void> {
  const files: [string, string][] = state.derived.map(({ path, sha256 }) => [path, sha256]);
  for (const { id, rowsSha256, withdrawalsSha256 } of state.segments) {
    if (rowsSha256 !== null) files.push([workspaceLayout.rows(id), rowsSha256]);
    if (withdrawalsSha256 !== null) files.push([workspaceLayout.withdrawals(id), withdrawalsSha256]);
  }
  for (const [relative, sha256] of files) {
    const file = inWorkspace(folder, relative);
    const found = await digestOf(file);
    if (found === sha256) continue;
    const reason = found === null ? 'is missing' : 'damaged: its bytes are not those that were written';
    throw new ForeignFileError({ file, reason });
  }
}

/**
 * What a failed read comes to: a file that is missing or damaged, by name, or the failure as it was. A query runs over
 * many files at once, so its own error need not say which.
 */
export async function explainFailedRead(folder: string, state: WorkspaceState, failure: unknown): Promise<unknown> {
  if (AsofError.isInstance(failure)) return failure;
  try {
    await checkFiles(folder, state);
    return failure;
  } catch (damage) {
    return damage;
  }
}
