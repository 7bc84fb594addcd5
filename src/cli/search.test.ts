import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { jsonLines, writeTemporaryFiles } from '../corpus/testing/temporaryFiles.js';
import { runForTest } from './testing/runForTest.js';

// Every command opens the workspace on disk anew.
vi.setConfig({ testTimeout: 60_000 });

const records = jsonLines(
  { id: 'CVE-1', published: '2019-05-02T14:16Z', description: 'A flaw in Chrome.' },
  { id: 'CVE-2', published: '2020-02-01', description: 'Another flaw in Chrome.' },
  { id: 'CVE-3', published: '2020-03-01', description: 'A bug in curl.' },
);

async function ingested() {
  const folder = writeTemporaryFiles({ 'cves.jsonl': records });
  const environment = { ASOF_WORKSPACE: path.join(folder, 'workspace') };
  const run = (...words: string[]) => runForTest(words, { environment, now: Date.UTC(2021, 0, 1) });
  await run('init');
  const ingest = await run('ingest', `${folder}/cves.jsonl`, '--preset', 'nvd', '--available-at', 'published');
  expect(ingest.exitCode).toBe(0);
  return run;
}

describe('asof search', () => {
  it('answers as of a time, with a table for people and JSON for machines', async () => {
    const run = await ingested();
    const { stdout, exitCode } = await run('search', 'chrome', '--as-of', '2020-02-01');
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('as of 2020-02-01T00:00:00Z: 2 assets');
    expect(lines[1]).toMatch(/^ +id +score +relevance +by rel\. +age +decay +event at +text$/);
    expect(lines[2]).toMatch(
      /^1 +CVE-2 +1\.0000 +1\.0000 +\d +0s +1\.0000 +2020-02-01T00:00:00Z +Another flaw in Chrome\.$/,
    );
    expect(lines[3]).toMatch(/^2 +CVE-1 .* 274d /);
    expect(lines[4]).toMatch(/^state: corpus 2 operations, root [0-9a-f]{64}; model [0-9a-f]{64}$/);

    const json = JSON.parse((await run('search', 'chrome', '--as-of', '2020-02-01', '--json')).stdout);
    expect(json).toMatchObject({
      asOf: '2020-02-01T00:00:00Z',
      documents: 2,
      state: { corpus: { size: 2 }, model: { parameters: { mode: 'fresh' } } },
      hits: [{ id: 'CVE-2', rank: 1, availableAt: '2020-02-01T00:00:00Z' }, { id: 'CVE-1' }],
    });
    // Without a time: as of now, which is told.
    expect((await run('search', 'curl')).stdout).toMatch(/^as of 2021-01-01T00:00:00Z: 3 assets\n/);
  });

  it('says so where t is before the first asset', async () => {
    const run = await ingested();
    const { stdout, exitCode } = await run('search', 'chrome', '--as-of', '2018-01-01');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^as of 2018-01-01T00:00:00Z: 0 assets\nno asset was available by 2018-01-01T00:00:00Z\n/);
  });

  it('does what the words about time say, shows how it understood them, and can be told not to', async () => {
    const run = await ingested();
    const { stdout } = await run('search', 'latest chrome flaws as of May 2019', '--mode', 'lexical');
    expect(stdout).toContain('as of 2019-05-31T23:59:59.999Z: 1 asset\n');
    expect(stdout).toMatch(/understood: "latest" \(latest\), "as of May 2019" \(as of\); searched for "chrome flaws"/);
    const strict = JSON.parse((await run('search', 'chrome in 2019', '--json')).stdout);
    expect(strict.hits.map(({ id }: { id: string }) => id)).toEqual(['CVE-1']);
    expect(strict.intent).toMatchObject({
      from: '2019-01-01T00:00:00Z',
      before: '2020-01-01T00:00:00Z',
      isStrict: true,
    });
    const plain = JSON.parse((await run('search', 'chrome in 2019', '--no-intent', '--json')).stdout);
    expect(plain).toMatchObject({ intent: null, hits: [{ id: 'CVE-2' }, { id: 'CVE-1' }] });
    // A future date never widens what is eligible.
    expect((await run('search', 'chrome as of 2030', '--as-of', '2019-06-01')).stdout).toMatch(/^as of 2019-06-01T00/);
  });

  it('takes modes, weights and filters', async () => {
    const run = await ingested();
    const ids = async (...words: string[]) =>
      JSON.parse((await run('search', 'chrome flaw', '--json', ...words)).stdout).hits.map(
        ({ id }: { id: string }) => id,
      );
    expect(await ids('--mode', 'lexical', '--alpha', '0.1', '--half-life', '365d')).toEqual(['CVE-2', 'CVE-1']);
    expect(await ids('--mode', 'lexical', '-k', '1')).toHaveLength(1);
    const weakest = (await run('search', 'chrome bug', '--mode', 'lexical', '--alpha', '1')).stdout;
    expect(weakest).toMatch(/ BM25 /);
    expect(weakest).not.toMatch(/ 0\.0000 +\d+ /);
    expect(await ids('--to', '2020-01-01')).toEqual(['CVE-1']);
    expect(await ids('--from', '2020-01-01')).toEqual(['CVE-2']);
    expect(await ids('--mode', 'lexical', '--then-newest')).toEqual(['CVE-2', 'CVE-1']);
    expect(await ids('--mode', 'lexical', '--pool', '1', '--half-life', 'adaptive')).toHaveLength(1);
  });

  it.each([
    [['--half-life', '3x'], '--half-life: got "3x"'],
    [['--mode', 'lexical', '--alpha', '2'], 'alpha: got 2'],
    [['--mode', 'semantic'], 'asof ingest --embed'],
    [['--as-of', 'nonsense'], 'got "nonsense"'],
    [['--limit', 'many'], '--limit: got "many"'],
    [['--limit', '1e3'], '--limit: got "1e3"'],
    [['--pool', '0x10'], '--pool: got "0x10"'],
    [
      ['--from', '2020-01-01', '--to', '2019-01-01'],
      'to: got "2019-01-01T00:00:00Z", expected an instant after from (2020-01-01T00:00:00Z)',
    ],
  ])('refuses %j with one line', async (words, message) => {
    const run = await ingested();
    const { exitCode, stderr, stdout } = await run('search', 'chrome', ...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('asof index', () => {
  it('has nothing to do after an ingest', async () => {
    const run = await ingested();
    expect((await run('index')).stdout).toBe('0 segments indexed, 0 texts embedded\n');
    expect((await run('index', '--embed', 'nothing')).stderr).toContain('--embed');
  });
});
