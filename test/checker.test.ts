import { execFile } from 'node:child_process';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestDirectory } from '../src/audit/attestation/artefacts.js';
import { formatEnvelope } from '../src/audit/attestation/dsse.js';
import { generateKey, keyFilesOf, writeKeyPair } from '../src/audit/attestation/keys.js';
import { signStatement } from '../src/audit/attestation/signStatement.js';
import { rewriteParquet } from './support/forgeRun.js';
import { runSmall, writeSmallDataset } from './support/smallRun.js';

const checkerFolder = path.resolve('checker');

let root: string;
let run: string;
const key = (name: string) => keyFilesOf(path.join(root, name)).publicKeyFile;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'asof-checker-'));
  run = path.join(root, 'run');
  await writeSmallDataset(path.join(root, 'data'), { requests: 60 });
  const design = { seeds: [1], horizons: [3], anchorsPerWindow: 2 };
  await runSmall(path.join(root, 'data'), run, design, { jsonl: true });
  const signer = generateKey();
  await writeKeyPair(signer, keyFilesOf(path.join(root, 'signer')));
  await writeKeyPair(generateKey(), keyFilesOf(path.join(root, 'stranger')));
  const predicate = {
    claim: 'replay-run',
    tool: { name: 'asof', version: '0' },
    signedAt: '2026-01-01T00:00:00Z',
  } as const;
  const envelope = signStatement({ subjects: await digestDirectory(run), predicate }, signer);
  await writeFile(path.join(run, 'attestation.dsse.json'), formatEnvelope(envelope));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let copies = 0;
async function changed(change: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = path.join(root, `copy-${copies++}`);
  await cp(run, folder, { recursive: true });
  await change(folder);
  return folder;
}

function check(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [path.join(checkerFolder, 'bin/asof-check.js'), ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('asof-check', () => {
  it('ends with 0 for a good run, and names every check', async () => {
    const { code, stdout } = await check(run);
    expect(stdout).toMatch(/^holds {2}eligibility: \d+ compared, 0 violated$/m);
    expect(stdout).toMatch(/^note {3}signed; the signature was not checked/m);
    expect(stdout).toMatch(/^run [0-9a-f]{16}, 80 rows: accepted$/m);
    expect(code).toBe(0);
  });

  it('checks the rows of rows.jsonl in place of those of rows.parquet', async () => {
    const { code, stdout } = await check(run, '--rows', 'jsonl', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ accepted: true, violated: [], rows: 80 });
    expect(code).toBe(0);
  });

  it('ends with 3 when the contract is violated, saying where', async () => {
    const folder = await changed((at) => rewriteParquet(path.join(at, 'rows.parquet'), 'UPDATE t SET tvr = 0'));
    const { code, stdout } = await check(folder);
    expect(stdout).toMatch(/^FAILS {2}violationRate: .*\n {2}small .*, Future: tvr: found 0, expected 0\.\d+/m);
    expect(code).toBe(3);
  });

  it('ends with 2 where there is no run, a run of another format, or arguments that it does not know', async () => {
    const other = await changed((at) => writeFile(path.join(at, 'manifest.json'), '{"format":"asof-run/9"}'));
    expect(await check(path.join(root, 'nothing'))).toMatchObject({
      code: 2,
      stderr: 'asof-check: manifest.json: ENOENT\n',
    });
    expect((await check(other)).stderr).toBe('asof-check: manifest.json: not of format asof-run/1\n');
    expect(await check(run, '--rows', 'csv')).toMatchObject({ code: 2 });
    expect(await check(run, '--strict')).toMatchObject({ code: 2 });
    expect(await check()).toMatchObject({ code: 2 });
  });
});

describe('asof-check of a signed run', () => {
  it('ends with 0 when every file is as signed', async () => {
    const { code, stdout } = await check(run, '--key', key('signer'));
    expect(stdout).toMatch(/^holds {2}signature: 10 files as signed with [0-9a-f]{64}$/m);
    expect(code).toBe(0);
  });

  it('ends with 4 for a bad signature, 5 for another key, 6 for an altered file, 7 for a missing one', async () => {
    const envelopeOf = (at: string) => path.join(at, 'attestation.dsse.json');
    const bad = await changed(async (at) => {
      const envelope = JSON.parse(await readFile(envelopeOf(at), 'utf8'));
      envelope.signatures[0].sig = `${envelope.signatures[0].sig.startsWith('A') ? 'B' : 'A'}${envelope.signatures[0].sig.slice(1)}`;
      await writeFile(envelopeOf(at), JSON.stringify(envelope));
    });
    // Neither is an artefact of the manifest, so that the contract itself holds.
    const altered = await changed(async (at) => {
      const manifest = JSON.parse(await readFile(path.join(at, 'manifest.json'), 'utf8'));
      await writeFile(path.join(at, 'manifest.json'), JSON.stringify({ ...manifest, recorded: {} }));
    });
    const missing = await changed((at) => appendFile(path.join(at, 'effects.csv'), ''));
    await rm(path.join(missing, 'effects.csv'));
    expect(await check(bad, '--key', key('signer'))).toMatchObject({ code: 4 });
    expect(await check(run, '--key', key('stranger'))).toMatchObject({ code: 5 });
    expect(await check(altered, '--key', key('signer'))).toMatchObject({ code: 6 });
    expect((await check(missing, '--key', key('signer'), '--json')).stdout).toContain('"code": 7');
    expect(await check(run, '--key', path.join(root, 'data/assets.jsonl'))).toMatchObject({ code: 2 });
  });
});

describe('the package asof-check', () => {
  it('imports nothing but Node, hyparquet and itself', async () => {
    const imports = new Set<string>();
    for (const folder of ['bin', 'lib']) {
      for (const file of await readdir(path.join(checkerFolder, folder))) {
        const source = await readFile(path.join(checkerFolder, folder, file), 'utf8');
        for (const [, specifier] of source.matchAll(/(?:from|import\(|import) *'([^']+)'/g)) {
          const isOwn = specifier!.startsWith('.');
          const target = path.resolve(checkerFolder, folder, specifier!);
          imports.add(isOwn && target.startsWith(`${checkerFolder}${path.sep}`) ? 'itself' : specifier!);
        }
      }
    }
    const strangers = [...imports].filter((name) => !name.startsWith('node:') && name !== 'itself');
    expect(strangers).toEqual(['hyparquet']);
  });

  it('pins the version of hyparquet that the tests run with', async () => {
    const read = async (file: string) => JSON.parse(await readFile(file, 'utf8'));
    const { dependencies, version } = await read('checker/package.json');
    const root = await read('package.json');
    expect(dependencies).toEqual({ hyparquet: root.devDependencies.hyparquet });
    expect(dependencies.hyparquet).toBe((await read('node_modules/hyparquet/package.json')).version);
    expect(version).toBe(root.version);
  });
});
