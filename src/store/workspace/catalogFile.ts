import { type Database, openInMemory } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { readIfPresent } from '../../files/atomicFile.js';
import type { WorkspaceState } from './state.js';

/** Tables of a catalog, by the list of the state that each holds: columns and their types, in order. */
const tables = {
  segments: {
    id: 'INTEGER',
    rows: 'BIGINT',
    withdrawals: 'BIGINT',
    contentHash: 'VARCHAR',
    rowsSha256: 'VARCHAR',
    withdrawalsSha256: 'VARCHAR',
  },
  commits: {
    kind: 'VARCHAR',
    at: 'BIGINT',
    source: 'VARCHAR',
    sourceSha256: 'VARCHAR',
    size: 'BIGINT',
    root: 'VARCHAR',
    read: 'BIGINT',
    added: 'BIGINT',
    versions: 'BIGINT',
    unchanged: 'BIGINT',
    replaced: 'BIGINT',
    rejected: 'BIGINT',
    withdrawn: 'BIGINT',
    late: 'BIGINT',
    ahead: 'BIGINT',
  },
  derived: { segment: 'INTEGER', name: 'VARCHAR', path: 'VARCHAR', sha256: 'VARCHAR', bytes: 'BIGINT' },
  retired: { path: 'VARCHAR', generation: 'BIGINT' },
  logEdge: { size: 'BIGINT', hash: 'VARCHAR' },
} as const satisfies Partial<Record<keyof WorkspaceState, Record<string, string>>>;

type TableName = keyof typeof tables;
const tableNames = Object.keys(tables) as TableName[];

/**
 * Writes a state as a DuckDB database of its own. A catalog is never opened for writing again: DuckDB locks a database
 * that has a writer against every other process, and readers must be able to open a workspace while one is at work.
 *
 * @param path must not exist
 * @param database what is at hand to write it with; one of its own otherwise
 */
export async function writeCatalog(path: string, state: WorkspaceState, database?: Database): Promise<void> {
  const { connection, close } = await (database?.connect() ?? openInMemory());
  const catalog = `catalog_${state.generation}`;
  try {
    // Small blocks: with the usual 256 KiB a catalog would be mostly holes.
    await connection.run(`ATTACH ${quotePath(path)} AS ${catalog} (BLOCK_SIZE 16384)`);
    for (const name of tableNames) {
      const structure = JSON.stringify([tables[name]]);
      await connection.run(
        `CREATE TABLE ${catalog}."${name}" AS SELECT unnest(from_json($1, '${structure}'), recursive := true)`,
        [JSON.stringify(state[name])],
      );
    }
    const { generation, nextSegment, newest, mapping } = state;
    const values = Object.entries({ generation, nextSegment, newest, mapping });
    await connection.run(
      `CREATE TABLE ${catalog}.configuration AS SELECT * FROM (VALUES ${values.map((_, i) => `($${2 * i + 1}, $${2 * i + 2})`).join(', ')}) t (key, value)`,
      values.flatMap(([key, value]) => [key, JSON.stringify(value)]),
    );
    await connection.run(`CHECKPOINT ${catalog}`);
  } finally {
    await connection.run(`DETACH DATABASE IF EXISTS ${catalog}`);
    close();
  }
}

/**
 * Reads a catalog back.
 *
 * @param sha256 what its bytes must hash to
 * @throws ForeignFileError when it is damaged
 */
export async function readCatalog(path: string, sha256: string): Promise<WorkspaceState> {
  const bytes = await readIfPresent(path);
  if (bytes === undefined) throw new ForeignFileError({ file: path, reason: 'is missing' });
  if (sha256Hex(bytes) !== sha256) {
    throw new ForeignFileError({ file: path, reason: 'damaged: its bytes are not those that were written' });
  }
  const { connection, close } = await openInMemory();
  try {
    await connection.run(`ATTACH ${quotePath(path)} AS catalog (READ_ONLY)`);
    const state: Record<string, unknown> = {};
    for (const name of tableNames) {
      const result = await connection.run(`SELECT to_json(t) FROM (FROM catalog."${name}") t`);
      state[name] = (await result.getRows()).map(([row]) => JSON.parse(row as string));
    }
    const configuration = await connection.run('FROM catalog.configuration');
    for (const [key, value] of await configuration.getRows()) state[key as string] = JSON.parse(value as string);
    return state as unknown as WorkspaceState;
  } finally {
    close();
  }
}
