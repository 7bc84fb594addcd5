import { cp, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { auditRun } from '../../src/audit/contract/auditRun.js';
import type { ContractReport } from '../../src/audit/contract/check.js';
import { type Manifest, manifestHash } from '../../src/audit/manifest.js';
import { copyToFile, openInMemory } from '../../src/columnar/duckdb.js';
import { quotePath } from '../../src/columnar/quotePath.js';
import { digestOf } from '../../src/store/runs/digestOf.js';
import { runFileFormat } from '../../src/store/runs/layout.js';
import { RunReader } from '../../src/store/runs/RunReader.js';

export async function auditFolder(folder: string): Promise<ContractReport> {
  const run = await RunReader.open(folder);
  return auditRun(run, run.experiment);
}

/** Names of the checks that found violations. */
export function violated(report: ContractReport): string[] {
  return report.checks.filter((check) => check.violations > 0).map((check) => check.name);
}

/** Rewrites a Parquet file of a run by SQL on a table `t` that has a column `n`, the row number from 0. */
export async function rewriteParquet(file: string, ...statements: readonly string[]): Promise<void> {
  const { connection, close } = await openInMemory();
  try {
    await connection.run(
      `CREATE TABLE t AS SELECT *, file_row_number AS n FROM read_parquet(${quotePath(file)}, file_row_number = true)`,
    );
    for (const statement of statements) await connection.run(statement);
    await copyToFile(connection, 'SELECT * EXCLUDE n FROM t ORDER BY n', file, runFileFormat);
  } finally {
    close();
  }
}

/** A copy of a run by a forger who keeps the books: after the change, digests and manifest hash are made to fit again. */
export async function forge(run: string, copy: string, change: (folder: string) => Promise<void>): Promise<string> {
  await cp(run, copy, { recursive: true });
  await change(copy);
  await refit(copy);
  return copy;
}

export async function refit(folder: string, change: (manifest: Manifest) => void = () => {}): Promise<void> {
  const file = path.join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  for (const artefact of manifest.artefacts) {
    const at = path.join(folder, artefact.path);
    artefact.sha256 = (await digestOf(at)) ?? artefact.sha256;
    artefact.bytes = (await stat(at)).size;
  }
  change(manifest);
  manifest.hash = manifestHash(manifest);
  await writeFile(file, JSON.stringify(manifest));
}
