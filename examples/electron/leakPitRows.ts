import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { manifestHash } from '../../src/audit/manifest.js';
import { copyToFile, openInMemory } from '../../src/columnar/duckdb.js';
import { quotePath } from '../../src/columnar/quotePath.js';
import { digestOf } from '../../src/store/runs/digestOf.js';

/**
 * What a careless replay does, done on purpose: in every PIT row, the selection, ranking and metrics are those of Future
 * at the same anchor, TVR says 0, and the digests in the manifest are made to fit. Only recomputation can tell.
 */
export async function leakPitRows(run: string): Promise<void> {
  const rows = path.join(run, 'rows.parquet');
  const { connection, close } = await openInMemory();
  try {
    await connection.run(
      `CREATE TABLE t AS SELECT *, file_row_number AS n FROM read_parquet(${quotePath(rows)}, file_row_number = true)`,
    );
    await connection.run(`CREATE TABLE future AS FROM t WHERE condition = 'Future'`);
    await connection.run(`DELETE FROM t WHERE condition = 'PIT'`);
    await connection.run(
      `INSERT INTO t SELECT * REPLACE ('PIT' AS condition, n - 1 AS n, 0 AS future_slots, 0.0 AS tvr) FROM future`,
    );
    await copyToFile(connection, 'SELECT * EXCLUDE (n, file_row_number) FROM t ORDER BY n', rows);
  } finally {
    close();
  }
  const file = path.join(run, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8'));
  const artefact = manifest.artefacts.find((candidate: { path: string }) => candidate.path === 'rows.parquet');
  artefact.sha256 = await digestOf(rows);
  artefact.bytes = (await stat(rows)).size;
  manifest.hash = manifestHash(manifest);
  await writeFile(file, JSON.stringify(manifest));
}
