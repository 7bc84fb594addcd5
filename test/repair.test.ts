import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../src/audit/manifest.js';
import { runForTest } from '../src/cli/testing/runForTest.js';
import { repairRun } from '../src/store/runs/repairRun.js';
import { rowChanges } from '../src/store/runs/rowChanges.js';
import { auditFolder, refit, rewriteParquet, violated } from './support/forgeRun.js';
import { runSmall, writeSmallDataset } from './support/smallRun.js';
import { tamperings } from './support/tamperings.js';

const checker = pathToFileURL(path.resolve('checker/lib/checkRun.js')).href;
const { checkRun } = (await import(checker)) as { checkRun: (folder: string) => Promise<{ violated: string[] }> };

let root: string;
let run: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'asof-repair-'));
  run = path.join(root, 'run');
  await writeSmallDataset(path.join(root, 'data'), { requests: 60 });
  const design = { seeds: [1], horizons: [3], anchorsPerWindow: 2 };
  await runSmall(path.join(root, 'data'), run, design, { jsonl: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

let copies = 0;
async function rejectedBy(apply: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(root, `rejected-${copies++}`);
  await cp(run, folder, { recursive: true });
  await apply(folder);
  return folder;
}

const tampering = (name: string) => tamperings.find((each) => each.name.startsWith(name))!.apply;
const inRows = (statement: string) => async (folder: string) => {
  await rewriteParquet(path.join(folder, 'rows.parquet'), statement);
  await refit(folder);
};
const repair = (rejected: string, folder = `${rejected}-repaired`) =>
  repairRun({ rejected, folder, version: '0.0.0-test', recorded: () => ({}) });
const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
const rowsOf = (folder: string) => path.join(folder, 'rows.parquet');

describe('repair of a run whose PIT rows used the memory of Future', () => {
  it('gives the rows of the honest run under hashes of its own, accepted by audit and checker', async () => {
    const rejected = await rejectedBy(tampering('every PIT row takes over'));
    const { folder, manifest, changes, contract } = await repair(rejected);
    expect(contract?.holds).toBe(true);
    expect(violated(await auditFolder(folder))).toEqual([]);
    expect((await checkRun(folder)).violated).toEqual([]);
    expect(changes.selections).toBeGreaterThan(0);
    expect(changes).toMatchObject({ added: 0, removed: 0 });
    const honest = await manifestOf(run);
    expect(await rowChanges(rowsOf(run), rowsOf(folder))).toEqual({ selections: 0, rankings: 0, added: 0, removed: 0 });
    expect(manifest.summary).toEqual(honest.summary);
    expect(manifest.runId).not.toBe(honest.runId);
    expect(manifest.artefacts.map((file) => file.path)).toEqual(honest.artefacts.map((file) => file.path));
  });

  it('states which run it repairs, by its manifest, and what that run was rejected for', async () => {
    const rejected = await rejectedBy(tampering('every PIT row takes over'));
    const before = await manifestOf(rejected);
    const { repairs } = (await repair(rejected)).manifest;
    expect(repairs).toMatchObject({ runId: before.runId, manifest: before.hash });
    expect(repairs!.violations.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['selection', 'eligibility', 'violationRate']),
    );
    expect(await manifestOf(rejected)).toEqual(before);
  });
});

describe('repair', () => {
  it('puts back rows that were dropped after scoring, and leaves out rows of other anchors', async () => {
    const dropped = await rejectedBy(inRows('DELETE FROM t WHERE n >= 30'));
    expect((await repair(dropped)).changes).toEqual({ selections: 0, rankings: 0, added: 50, removed: 0 });
    const moved = await rejectedBy(inRows('UPDATE t SET anchor_position = 59 WHERE n < 5'));
    expect((await repair(moved)).changes).toMatchObject({ added: 5, removed: 5 });
  });

  it('gives the same run each time', async () => {
    const rejected = await rejectedBy(inRows('UPDATE t SET tvr = 0'));
    const [a, b] = [await repair(rejected, `${rejected}-a`), await repair(rejected, `${rejected}-b`)];
    expect(a.manifest.hash).toBe(b.manifest.hash);
  });

  it('refuses a run that holds, and the rejected run’s own folder', async () => {
    await expect(repair(run)).rejects.toThrow('expected a run that the audit rejects');
    const rejected = await rejectedBy(inRows('UPDATE t SET tvr = 0'));
    await expect(repair(rejected, rejected)).rejects.toThrow('another folder than the rejected run');
  });

  it.each([
    ['a base list', 'a base list reversed', 'index'],
    ['a query vector', 'a query vector', 'the event log of small'],
    ['a product', 'a product made easier', 'requests'],
    ['a stream', 'two requests of a stream exchanged', 'stream'],
    ['an asset', 'a text replaced', 'corpus'],
    ['the manifest', 'a manifest edited without its hash', 'manifest'],
  ])('refuses to build on %s that is altered', async (_, name, reason) => {
    const rejected = await rejectedBy(tampering(name));
    await expect(repair(rejected)).rejects.toThrow(
      `cannot be repaired, since what views are built from is altered: ${reason}`,
    );
    expect(existsSync(`${rejected}-repaired`)).toBe(false);
  });
});

describe('asof repair', () => {
  it('prints the statement and ends with 0; with 2 where there is nothing to repair', async () => {
    const rejected = await rejectedBy(inRows('UPDATE t SET tvr = 0'));
    const out = `${rejected}-repaired`;
    const { exitCode, stdout, stderr } = await runForTest(['repair', rejected, '--out', out]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(
      /^rejected {2}run [0-9a-f]{16}, manifest [0-9a-f]{64}\nfor {7}artefacts \(1\), violationRate \(40\)/,
    );
    expect(stdout).toMatch(/^rows {6}80: 0 select and 0 rank otherwise$/m);
    expect(stdout).toMatch(/the contract holds for the repaired run\n$/);
    expect(await runForTest(['repair', run, '--out', `${run}-repaired`])).toMatchObject({ exitCode: 2 });
    const unsound = await rejectedBy(tampering('a base list reversed'));
    expect(await runForTest(['repair', unsound, '--out', `${unsound}-repaired`])).toMatchObject({ exitCode: 3 });
  });
});
