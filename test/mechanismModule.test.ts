import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newMechanismOutput } from '../src/memory/mechanisms/mechanism.js';
import { blockOf, mechanismContract } from '../src/memory/testing/mechanismContract.js';
import { createMechanism } from '../src/replay/createMechanism.js';
import { loadMechanismFile, loadMechanismSource } from '../src/replay/mechanismModule.js';
import { smallDesign, writeSmallDataset } from './support/smallRun.js';

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const example = fileURLToPath(new URL('../examples/mechanism/votes.js', import.meta.url));
const exampleHash = await loadMechanismFile(example, 'the test');

/** Each command is a process of its own: what one has loaded, the next has not. */
function asof(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', main, ...words], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

mechanismContract('the example', ({ context }) =>
  createMechanism({ kind: 'module', module: example, parameters: {}, sha256: exampleHash }, context, {
    offsets: new Uint32Array(1),
    rows: new Uint32Array(0),
  }),
);

describe('a mechanism module named by an experiment file', () => {
  let root: string;
  const at = (...parts: string[]) => path.join(root, ...parts);
  const replay = (out: string, ...more: string[]) =>
    asof('replay', '--experiment', at('experiment.yaml'), '--out', at(out), '--threads', '1', ...more);
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
    const made = replay('run', '--json');
    expect(made.stderr).toBe('');
    expect(made.status).toBe(0);
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

    const unknown = asof('audit', at('run'));
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain(`mechanism module own.js (SHA-256 ${exampleHash})`);
    expect(unknown.stderr).toContain('--mechanism-module');
    expect(asof('audit', at('run'), '--mechanism-module', example)).toMatchObject({ status: 0, stderr: '' });

    await writeFile(at('own.js'), `${await readFile(example, 'utf8')}// changed\n`);
    const { status } = asof('audit', at('run'), '--mechanism-module', at('own.js'));
    expect(status).toBe(2);
    replay('other', '--json', '--no-audit');
    const other = JSON.parse(await readFile(at('other', 'manifest.json'), 'utf8'));
    expect(other.runId).not.toBe(manifest.runId);
    expect(other.models.map(({ id }: { id: string }) => id)).not.toEqual(
      manifest.models.map(({ id }: { id: string }) => id),
    );
  }, 120_000);

  it('is refused with file, line and key of the experiment where it is not there', async () => {
    await rm(at('own.js'));
    const { status, stderr } = replay('none');
    expect(status).toBe(2);
    expect(stderr).toContain(`${at('experiment.yaml')}:5: mechanisms[1].module names it as a mechanism module`);
  }, 60_000);
});

describe('a mechanism module', () => {
  const load = async (source: string) => {
    const sha256 = await loadMechanismSource({ file: 'own.js', source });
    const context = { traces: blockOf([[0, 1]], 2), traceDepth: 2, idOrder: Uint32Array.of(0, 1) };
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

  it.each([
    ['output.length = 3', 'output.length: got 3, expected 0 to 2'],
    [
      'output.rows.set([1, 1]); output.length = 2',
      'output.rows[1]: got 1, expected an asset that is not ranked already',
    ],
    ['output.rows[0] = 1; output.length = 1', 'output.rows[0]: got 1, expected a row below 1'],
    ['output.scores.set([1, NaN]); output.length = 1; output.scores[0] = NaN', 'output.scores[0]: got NaN'],
    ["throw new Error('no')", 'rank: got "no"'],
  ])('that ranks as no mechanism may is stopped: %s', async (body, message) => {
    const mechanism = await load(moduleOf(`rank(input, output) { ${body}; }`));
    const input = {
      ...{ baseRows: Uint32Array.of(0), entryCount: 0, entryRequests: new Uint32Array(0) },
      ...{ entrySimilarities: new Float64Array(0), visibleRows: body.includes('[1, 1]') ? 2 : 1 },
    };
    expect(() => mechanism.rank(input, newMechanismOutput(2))).toThrow(message);
  });
});
