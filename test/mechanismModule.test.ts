import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContractReport } from '../src/audit/contract/check.js';
import { runForTest } from '../src/cli/testing/runForTest.js';
import { newMechanismOutput } from '../src/memory/mechanisms/mechanism.js';
import { blockOf, mechanismContract } from '../src/memory/testing/mechanismContract.js';
import { checkExperiment } from '../src/replay/experiment/readExperiment.js';
import { createMechanism } from '../src/replay/mechanisms/createMechanism.js';
import { loadMechanismFile, loadMechanismSource, loadMechanisms } from '../src/replay/mechanisms/mechanismModule.js';
import { smallDesign, writeSmallDataset } from './support/smallRun.js';

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const example = fileURLToPath(new URL('../examples/mechanism/votes.js', import.meta.url));
const exampleHash = await loadMechanismFile(example, 'the test');

mechanismContract('the example', ({ context }) =>
  createMechanism({ kind: 'module', module: example, parameters: {}, sha256: exampleHash }, context, {
    offsets: new Uint32Array(1),
    rows: new Uint32Array(0),
  }),
);

/** A module that promotes what it was handed for other conditions of the anchor, or for the anchor before. */
function carrying(read: string): string {
  return `export function createMechanism() {
      let [anchor, before, now] = ['', new Set(), new Set()];
      const own = { name: 'own', version: '1', usesGold: false, reads: 'behaviour', parameters: {} };
      return { ...own, rank(input, output) {
        if (anchor !== String(input.baseRows)) [before, now] = [now, new Set()];
        anchor = String(input.baseRows);
        for (const list of input.entryTraces) for (const row of list.subarray(0, 2)) now.add(row);
        const ranked = Array.from(input.baseRows, (row, k) => [row, 1 / (k + 1) + ${read}.has(row)]);
        ranked.sort((a, b) => b[1] - a[1]);
        output.length = Math.min(ranked.length, output.rows.length);
        for (let k = 0; k < output.length; k++) [output.rows[k], output.scores[k]] = ranked[k];
      } };
    }`;
}

describe('a mechanism module named by an experiment file', () => {
  let root: string;
  const at = (...parts: string[]) => path.join(root, ...parts);
  const replay = (out: string, ...more: string[]) =>
    runForTest(['replay', '--experiment', at('experiment.yaml'), '--out', at(out), '--threads', '1', ...more]);
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'asof-module-'));
    await writeSmallDataset(at('data'), { requests: 60 });
    await writeFile(at('own.js'), await readFile(example));
    const { name: _name, mechanisms: _mechanisms, ...design } = smallDesign;
    const lines = [
      'name: own',
      'datasets: [{ name: small, path: data }]',
      'mechanisms:',
      '  - trace',
      '  - module: ./own.js',
      '    parameters: { shown: 3 }',
      ...Object.entries({ ...design, seeds: [1] }).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    ];
    await writeFile(at('experiment.yaml'), `${lines.join('\n')}\n`);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('is replayed, bound to the run by its content, and audited when it is given', async () => {
    const made = await replay('run', '--json');
    expect(made.stderr).toBe('');
    expect(made.exitCode).toBe(0);
    const manifest = JSON.parse(await readFile(at('run', 'manifest.json'), 'utf8'));
    expect(manifest.experiment.mechanisms[1]).toEqual({
      kind: 'module',
      module: 'own.js',
      parameters: { shown: 3 },
      sha256: exampleHash,
    });
    expect(manifest.mechanisms[1]).toMatchObject({
      label: 'module,own,shown=3',
      name: 'votes',
      parameters: { shown: 3, module: exampleHash },
    });

    const given = await runForTest(['audit', at('run'), '--mechanism-module', example]);
    expect([given.exitCode, given.stderr]).toEqual([0, '']);
    expect(given.stdout).toContain('what a module reads besides its input is not seen');
    // A process that has not loaded the module.
    const without = spawnSync(process.execPath, ['--import', 'tsx', main, 'audit', at('run')], { encoding: 'utf8' });
    expect(without.status).toBe(2);
    expect(without.stderr).toContain(`mechanism module own.js (SHA-256 ${exampleHash})`);
    expect(without.stderr).toContain('--mechanism-module');

    await writeFile(at('own.js'), `${await readFile(example, 'utf8')}// changed\n`);
    await replay('other', '--json', '--no-audit');
    const other = JSON.parse(await readFile(at('other', 'manifest.json'), 'utf8'));
    expect(other.runId).not.toBe(manifest.runId);
    expect(other.models.map(({ id }: { id: string }) => id)).not.toEqual(
      manifest.models.map(({ id }: { id: string }) => id),
    );
  }, 120_000);

  it.each([
    ['from condition to condition', 'now'],
    ['from anchor to anchor', 'before'],
  ])(
    'that carries lists %s is found out by the audit, which ranks in another order',
    async (_, read) => {
      await writeFile(at('carrying.js'), carrying(read));
      const experiment = await readFile(at('experiment.yaml'), 'utf8');
      const own = experiment.replace('own.js', 'carrying.js').replace(/^streams: .*$/m, 'streams: [natural]');
      await writeFile(at('carrying.yaml'), own);
      const made = await runForTest([
        ...['replay', '--experiment', at('carrying.yaml'), '--out', at('carrying')],
        ...['--no-audit', '--force', '--threads', '1'],
      ]);
      expect([made.exitCode, made.stderr]).toEqual([0, '']);
      const { exitCode, stdout } = await runForTest(['audit', at('carrying'), '--json']);
      const { checks } = JSON.parse(stdout) as ContractReport;
      expect(exitCode).toBe(3);
      expect(checks.find(({ name }) => name === 'ranking')!.violations).toBeGreaterThan(0);
    },
    120_000,
  );

  it('is refused with file, line and key of the experiment where it is not there', async () => {
    await rm(at('own.js'));
    const { exitCode, stderr } = await replay('none');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${at('experiment.yaml')}:5: mechanisms[1].module names it as a mechanism module`);
  }, 60_000);
});

describe('a mechanism module', () => {
  it('is refused where it is not the one whose hash the experiment gives', async () => {
    const mechanisms = [{ module: example, sha256: '0'.repeat(64) }];
    const experiment = checkExperiment({ name: 'x', datasets: [{ name: 'x', path: 'x' }], mechanisms }, 'test');
    await expect(loadMechanisms(experiment)).rejects.toThrow(`expected the module whose SHA-256 is ${'0'.repeat(64)}`);
  });

  const load = async (source: string) => {
    const sha256 = await loadMechanismSource({ file: 'own.js', source: Buffer.from(source) });
    const context = { traces: blockOf([[0, 1], [1]], 2), traceDepth: 2, idOrder: Uint32Array.of(0, 1) };
    const products = { offsets: new Uint32Array(1), rows: new Uint32Array(0) };
    return createMechanism({ kind: 'module', module: 'own.js', parameters: {}, sha256 }, context, products);
  };
  const moduleOf = (members: string) =>
    `export const createMechanism = () => ({ name: 'own', version: '1', usesGold: false, reads: 'behaviour', parameters: {}, rank() {}, ${members} });`;

  it.each([
    ['const a = ;', 'a JavaScript module that stands alone'],
    ["import './other.js';", 'a JavaScript module that stands alone'],
    ['export const other = 1;', 'own.js: createMechanism: got nothing'],
    ["export const createMechanism = () => { throw new Error('no') };", 'createMechanism: got "no"'],
    ['export const createMechanism = () => 7;', 'createMechanism: got 7'],
    [moduleOf("name: 'a b'"), 'own.js: name: got "a b"'],
    [moduleOf('usesGold: true'), 'usesGold: got true'],
    [moduleOf("reads: 'labels'"), 'reads: got "labels"'],
    [moduleOf('parameters: { weight: NaN }'), 'parameters.weight: got NaN'],
    [moduleOf('rank: 1'), 'rank: got 1'],
  ])('that is not one is refused: %s', async (source, message) => {
    await expect(load(source)).rejects.toThrow(message);
  });

  it('is known by its bytes, even where they are no text', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'asof-bytes-'));
    try {
      const hashes = [0xff, 0xfe].map(async (byte) => {
        const file = path.join(root, `${byte}.js`);
        const bytes = Buffer.concat([Buffer.from(`${moduleOf('')} // `), Buffer.of(byte)]);
        await writeFile(file, bytes);
        expect(await loadMechanismFile(file, 'the test')).toBe(createHash('sha256').update(bytes).digest('hex'));
      });
      await Promise.all(hashes);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });

  it.each([
    ['output.length = 3', 'output.length: got 3, expected 0 to 2'],
    [
      'output.rows.set([1, 1]); output.length = 2',
      'output.rows[1]: got 1, expected an asset that is not ranked already',
    ],
    ['output.rows[0] = 1; output.length = 1', 'output.rows[0]: got 1, expected a row below 1'],
    ['output.scores.set([1, NaN]); output.length = 1; output.scores[0] = NaN', 'output.scores[0]: got NaN'],
    ["throw new Error('no')", 'rank: got "no"'],
    ['output.rows = [0]; output.length = 1', 'own.js: rank, output.rows: got [0], expected the array that was handed'],
    ['output.scores = [0]; output.length = 1', 'rank, output.scores: got [0], expected the array that was handed'],
    ['structuredClone(output.rows, { transfer: [output.rows.buffer] }); output.length = 1', 'own.js: rank, output'],
    [
      'input.baseRows[0] = 1; output.rows[0] = input.baseRows[0]; output.length = 1',
      'own.js: rank, output.rows[0]: got 1',
    ],
  ])('that ranks as no mechanism may is stopped: %s', async (body, message) => {
    const mechanism = await load(moduleOf(`rank(input, output) { ${body}; }`));
    const input = {
      ...{ baseRows: Uint32Array.of(0), entryCount: 0, entryRequests: new Uint32Array(0) },
      ...{ entrySimilarities: new Float64Array(0), visibleRows: body.includes('[1, 1]') ? 2 : 1 },
    };
    expect(() => mechanism.rank(input, newMechanismOutput(2))).toThrow(message);
  });

  it('is handed the lists of the selected requests alone, to the depth that is read', async () => {
    const seen = '__asofSeen';
    const mechanism = await load(
      `export function createMechanism(context, parameters) {
        const own = { name: 'own', version: '1', usesGold: false, reads: 'behaviour', parameters: {} };
        return { ...own, rank(input) { globalThis.${seen} = { context, input }; } };
      }`,
    );
    const entryRequests = Uint32Array.of(1, 0, 0);
    const entrySimilarities = Float64Array.of(0.5, 0, 0);
    const baseRows = Uint32Array.of(0, 1);
    mechanism.rank(
      { baseRows, entryCount: 1, entryRequests, entrySimilarities, visibleRows: 2 },
      newMechanismOutput(2),
    );
    expect((globalThis as Record<string, unknown>)[seen]).toEqual({
      context: { traceDepth: 2, idOrder: Uint32Array.of(0, 1) },
      input: {
        ...{ baseRows, entryCount: 1, visibleRows: 2, entryTraces: [Uint32Array.of(1)] },
        ...{ entryRequests: Uint32Array.of(1), entrySimilarities: Float64Array.of(0.5) },
      },
    });
  });

  it('changes nothing of what others read, whatever it does to what it is handed', async () => {
    const source = `export function createMechanism(context, parameters) {
      context.idOrder.fill(7);
      parameters.shown = 7;
      const own = { name: 'own', version: '1', usesGold: false, reads: 'behaviour', parameters: {} };
      return { ...own, rank(input) {
        for (const list of [input.baseRows, input.entryRequests, input.entrySimilarities, ...input.entryTraces]) {
          new Uint8Array(list.buffer).fill(7);
        }
      } };
    }`;
    const sha256 = await loadMechanismSource({ file: 'own.js', source: Buffer.from(source) });
    const context = { traces: blockOf([[0, 1], [1]], 2), traceDepth: 2, idOrder: Uint32Array.of(0, 1) };
    const spec = { kind: 'module' as const, module: 'own.js', parameters: { shown: 3 }, sha256 };
    const input = {
      ...{ baseRows: Uint32Array.of(0, 1), entryCount: 1, entryRequests: Uint32Array.of(0) },
      ...{ entrySimilarities: Float64Array.of(0.5), visibleRows: 2 },
    };
    const before = structuredClone({ context, spec, input });
    createMechanism(spec, context, { offsets: new Uint32Array(1), rows: new Uint32Array(0) }).rank(
      input,
      newMechanismOutput(2),
    );
    expect({ context, spec, input }).toEqual(before);
  });
});
