import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runForTest } from '../src/cli/testing/runForTest.js';
import { readParquet } from '../src/columnar/readParquet.js';
import { RandomSource } from '../src/random/RandomSource.js';
import { RunFolder } from '../src/store/runs/RunFolder.js';
import { RunReader } from '../src/store/runs/RunReader.js';
import { runSmall, smallDesign, writeSmallDataset } from './support/smallRun.js';

const run = promisify(execFile);
const cli = path.resolve('dist/cli/main.js');

let root: string;
let data: string;
let timed: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'asof-replay-'));
  data = path.join(root, 'data');
  timed = path.join(root, 'timed');
  await writeSmallDataset(data);
  await writeSmallDataset(timed, { clocks: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

let runs = 0;
const fresh = () => path.join(root, `run-${runs++}`);
const bytesOf = (folder: string, file: string) => readFile(path.join(folder, file));

/** Every file of a run except the manifest, whose `recorded` part may differ. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'manifest.json')
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, (await bytesOf(folder, name)).toString('base64')])),
  );
}

describe('runExperiment', () => {
  it('gives the same bytes and manifest hash for the same inputs, whatever the order of their lines', async () => {
    const [first, second] = [fresh(), fresh()];
    const shuffled = path.join(root, 'shuffled');
    await cp(data, shuffled, { recursive: true });
    for (const file of ['assets.jsonl', 'requests.jsonl']) {
      const lines = (await bytesOf(data, file)).toString().trimEnd().split('\n');
      await writeFile(path.join(shuffled, file), `${new RandomSource(1, 'test').shuffle(lines).join('\n')}\n`);
    }
    const a = await runSmall(data, first);
    const again = await runSmall(data, second);
    expect(again.manifest.hash).toBe(a.manifest.hash);
    expect(await filesOf(second)).toEqual(await filesOf(first));
    const other = fresh();
    const b = await runSmall(shuffled, other);
    // Another file digest makes another run; the rows differ in nothing but its id.
    expect(b.manifest.runId).not.toBe(a.manifest.runId);
    expect(b.manifest.domains[0]!.shards).toEqual(a.manifest.domains[0]!.shards);
    expect(b.effects).toEqual(a.effects);
  });

  it('gives the same bytes under another time zone and locale, and with any number of threads', async () => {
    const design = ['--stream', 'natural', '--corpus', 'as-of', '--capacity', '6', '--horizons', '3,10'];
    const argv = [cli, 'replay', timed, ...design, '--json'];
    const places = [
      { TZ: 'UTC', LC_ALL: 'C', threads: '1' },
      { TZ: 'America/St_Johns', LC_ALL: 'tr_TR.UTF-8', threads: '3' },
    ];
    const runs = await Promise.all(
      places.map(async ({ threads, ...place }) => {
        const folder = fresh();
        const options = { env: { ...process.env, ...place }, maxBuffer: 1 << 26 };
        const { stdout } = await run(process.execPath, [...argv, '--threads', threads, '--out', folder], options);
        return { hash: JSON.parse(stdout).hash as string, files: await filesOf(folder) };
      }),
    );
    expect(runs[0]!.hash).toBe(runs[1]!.hash);
    expect(runs[0]!.files).toEqual(runs[1]!.files);
  });

  it('takes an interrupted run up where it stopped, with the same bytes', async () => {
    const [whole, interrupted] = [fresh(), fresh()];
    const expected = await runSmall(data, whole);
    let streams = 0;
    const stop = () => {
      if (++streams === 3) throw new Error('interrupted');
    };
    const halted = runSmall(data, interrupted, {}, { onProgress: ({ done }: { done: number }) => done > 0 && stop() });
    await expect(halted).rejects.toThrow('interrupted');
    expect(await readdir(interrupted)).not.toContain('manifest.json');
    const { stderr, exitCode } = await runForTest(['audit', interrupted]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the run is unfinished');
    const resumed = await runSmall(data, interrupted);
    expect(resumed.manifest.hash).toBe(expected.manifest.hash);
    expect(await filesOf(interrupted)).toEqual(await filesOf(whole));
  });

  it('leaves alone a folder that is not its own, another experiment, and a complete run', async () => {
    const folder = fresh();
    await runSmall(data, folder);
    await expect(runSmall(data, folder)).rejects.toThrow('--force');
    await expect(RunFolder.open({ folder: data, runId: '0'.repeat(16) })).rejects.toThrow('it holds other files');
    await expect(RunFolder.open({ folder: data, runId: '0'.repeat(16), force: true })).rejects.toThrow('other files');
    expect((await readdir(data)).sort()).toEqual(['assets.jsonl', 'requests.jsonl']);
  });

  it('keeps no request text when redacted, and the audit still recomputes everything', async () => {
    const folder = fresh();
    const redacted = await runSmall(data, folder, {}, { redact: true });
    const { text } = await readParquet(path.join(folder, 'domains/small/requests.parquet'), { text: 'string' });
    expect(text.every((value) => value === null)).toBe(true);
    expect(redacted.contract!.holds).toBe(true);
    const { exitCode } = await runForTest(['audit', folder]);
    expect(exitCode).toBe(0);
  });

  it('never looks at labels: other products change no stream, no event log, no selection, no trace ranking', async () => {
    const relabelled = path.join(root, 'relabelled');
    await cp(data, relabelled, { recursive: true });
    const lines = (await bytesOf(data, 'requests.jsonl')).toString().trimEnd().split('\n');
    const other = lines.map((line, i) => JSON.stringify({ ...JSON.parse(line), gold: [`a${(i * 7) % 90}`] }));
    await writeFile(path.join(relabelled, 'requests.jsonl'), `${other.join('\n')}\n`);
    const design = { streams: ['random', 'semantic'], mechanisms: ['trace'] };
    const columns = {
      stream_hash: 'string',
      event_log_hash: 'string',
      selection_hash: 'string',
      ranking_hash: 'string',
    } as const;
    const [a, b] = await Promise.all(
      [data, relabelled].map(async (dataset) => {
        const folder = fresh();
        await runSmall(dataset, folder, design);
        return readParquet(path.join(folder, 'rows.parquet'), columns);
      }),
    );
    expect(b).toEqual(a);
  });

  it('runs gold-overlap streams alone, apart from the summary of the others', async () => {
    const { effects, manifest } = await runSmall(data, fresh(), { streams: ['gold-overlap'] });
    expect(effects.summary).toEqual([]);
    expect(effects.stressSummary[0]!.hindsightGain!.cells).toBe(1);
    expect(manifest.domains[0]!.streams.map(({ usesGold }) => usesGold)).toEqual([true, true]);
    expect(() => runSmall(data, fresh(), { streams: ['random', 'gold-overlap'] })).toThrow(
      /expected gold-overlap alone/,
    );
  });

  it('reads the corpus as of each request when asked: no ranking holds what was not there yet', async () => {
    const folder = fresh();
    const { manifest } = await runSmall(timed, folder, { streams: ['natural'], corpus: 'as-of' });
    expect(manifest.domains[0]!.streams).toHaveLength(1);
    const { rows, ...table } = await readParquet(path.join(folder, 'rows.parquet'), {
      ranking: 'list<int32>',
      corpus_rows: 'int32',
      tvr: 'float64',
      condition: 'string',
    });
    expect(rows).toBeGreaterThan(0);
    for (let row = 0; row < rows; row++) {
      const ranking = table.ranking.values.subarray(table.ranking.offsets[row]!, table.ranking.offsets[row + 1]!);
      expect(ranking.every((asset) => asset < table.corpus_rows[row]!)).toBe(true);
      if (table.condition[row] === 'PIT') expect(table.tvr[row]).toBe(0);
    }
  });

  it('refuses to read a corpus as of its requests when an asset does not say when it was available', async () => {
    const undated = path.join(root, 'undated');
    await cp(timed, undated, { recursive: true });
    const [first, ...rest] = (await bytesOf(timed, 'assets.jsonl')).toString().split('\n');
    const { availableAt: _availableAt, ...asset } = JSON.parse(first!);
    await writeFile(path.join(undated, 'assets.jsonl'), [JSON.stringify(asset), ...rest].join('\n'));
    await runSmall(undated, fresh(), { streams: ['natural'] });
    await expect(runSmall(undated, fresh(), { streams: ['natural'], corpus: 'as-of' })).rejects.toThrow(
      new RegExp(`availableAt: got nothing, expected .* 1 of \\d+ assets have none: "${asset.id}"$`),
    );
  });

  it('says how many anchors fit when a stream is too short', async () => {
    await expect(runSmall(data, fresh(), { anchorsPerWindow: 100 })).rejects.toThrow(
      'anchorsPerWindow: got 100, expected 1 to 24',
    );
  });

  it('writes rows and manifest that the published schemas describe, nulls where a metric is not defined', async () => {
    const folder = fresh();
    const { manifest } = await runSmall(data, folder, {}, { jsonl: true });
    const lines = (await bytesOf(folder, 'rows.jsonl'))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(manifest.rows);
    expect(lines.some((row) => row.recall_5_table === null)).toBe(true);
    const ajv = new Ajv({ strict: false });
    const [isRow, isManifest] = ['row', 'manifest'].map((name) =>
      ajv.compile(JSON.parse(readFileSync(`schemas/${name}.schema.json`, 'utf8'))),
    );
    for (const line of lines) expect(isRow!(line), JSON.stringify(isRow!.errors)).toBe(true);
    expect(isManifest!(manifest), JSON.stringify(isManifest!.errors)).toBe(true);
    expect(manifest.artefacts.map(({ path: file }) => file)).toContain('rows.jsonl');
  });
});

describe('asof replay', () => {
  it('reads an experiment file, its paths relative to the file', async () => {
    const file = path.join(root, 'experiment.yaml');
    await writeFile(file, `${JSON.stringify({ ...smallDesign, datasets: [{ name: 'small', path: 'data' }] })}\n`);
    const folder = fresh();
    const { exitCode, stdout, stderr } = await runForTest(['replay', '--experiment', file, '--out', folder]);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/small\s+random\s+bm25\s+trace/);
    expect(stdout).toContain('feedback (oracle)');
    expect(stdout).toContain('the contract holds');
    const deeper = fresh();
    const flags = ['--trace-depth', '5', '--seeds', '3', '--mechanism', 'trace,normalise=none'];
    expect((await runForTest(['replay', '--experiment', file, '--out', deeper, ...flags])).stderr).toBe('');
    const { manifest } = await RunReader.open(deeper);
    expect(manifest.experiment).toMatchObject({ traceDepth: 5, seeds: [3], horizons: [3, 10] });
    expect(manifest.mechanisms.map(({ label }) => label)).toEqual(['trace,normalise=none']);
    const wrong = await runForTest(['replay', '--experiment', file, '--out', fresh(), '--trace-depth', '500']);
    expect(wrong.stderr).toContain('experiment.yaml: traceDepth: got 500');
  });

  it.each([
    [['replay', 'nowhere', '--out', 'x'], 2, 'nowhere is missing'],
    [
      ['replay', '--out', 'x', '--mechanism', 'trace', 'feedback', 'small2'],
      2,
      '--mechanism: got "small2", expected one of trace, feedback, module; if it is the path of the data set, put it before the options',
    ],
    [['replay', 'DATA', '--capacity', '0', '--out', 'x'], 2, 'command line: capacity: got 0'],
    [['replay', 'DATA', '--capacity', 'many', '--out', 'x'], 2, '--capacity: got "many", expected a number'],
    [['replay', 'DATA', '--seeds', '5-1', '--out', 'x'], 2, '--seeds: got "5-1"'],
    [
      ['replay', 'DATA', '--mechanism', 'cache', '--out', 'x'],
      2,
      'mechanisms[0].kind: got "cache", expected one of trace, feedback',
    ],
    [['replay', 'DATA', '--stream', 'natural', '--out', 'OUT'], 2, 'observedAt'],
    [['replay', '--out', 'x'], 2, 'datasets: got nothing'],
    [['replay', 'DATA'], 2, "required option '--out <folder>'"],
    [['replay', 'DATA', '--experiment', 'e.yaml', '--out', 'x'], 2, 'not both'],
    [['replay', '--experiment', 'nowhere.yaml', '--out', 'x'], 2, 'nowhere.yaml is missing'],
    [['audit', 'DATA'], 2, 'manifest.json is missing'],
  ])('refuses %j', async (words, code, message) => {
    const argv = words.map((word) => (word === 'DATA' ? data : word === 'OUT' ? fresh() : word));
    const { exitCode, stderr } = await runForTest(argv);
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('asof audit', () => {
  it('prints each check with its count, and exits 0', async () => {
    const folder = fresh();
    await runSmall(data, folder);
    const { exitCode, stdout } = await runForTest(['audit', folder]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^holds\s+eligibility\s+\d+\s+0/m);
    const json = await runForTest(['audit', folder, '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ holds: true });
  });

  it('exits 3 on a violated contract and 2 on a folder that it cannot use', async () => {
    const folder = fresh();
    await runSmall(data, folder);
    await writeFile(path.join(folder, 'effects.csv'), 'domain\n');
    const violated = await runForTest(['audit', folder]);
    expect(violated.exitCode).toBe(3);
    expect(violated.stdout).toContain('artefacts: effects.csv: found');
    await writeFile(path.join(folder, 'rows.parquet'), 'PAR1');
    expect((await runForTest(['audit', folder])).exitCode).toBe(2);
  });
});
