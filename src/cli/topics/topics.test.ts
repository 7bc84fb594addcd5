import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readParquet } from '../../columnar/readParquet.js';
import { jsonLines, writeTemporaryFiles } from '../../corpus/testing/temporaryFiles.js';
import { temporaryFolder } from '../../embedding/testing/temporaryFolder.js';
import { formatInstant } from '../../time/formatInstant.js';
import { millisecondsPerDay } from '../../time/instant.js';
import { parseInstant } from '../../time/parseInstant.js';
import { runForTest } from '../testing/runForTest.js';

// Every command opens a model, and a workspace on disk.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const start = parseInstant('2021-01-04');

/** A log of failed logins and of scans, which decay in the last two whole weeks; a day of another week at the end. */
const events = jsonLines(
  ...[12, 12, 12, 12, 12, 3, 3, 1].flatMap((scans, week) => {
    const record = (kind: string, n: number, count: number, rest: object) => ({
      id: `${kind}-${week}-${n}`,
      ts: formatInstant(start + Math.floor(((week + (week === 7 ? 0 : n / count)) * 7 + 0.1) * millisecondsPerDay)),
      ...rest,
    });
    const login = { msg: 'Okta login failed: MFA denied', tech: ['okta'], team: 'identity/okta' };
    const scan = { msg: 'Qualys scan found a vulnerable OpenSSL library', tech: ['openssl'], team: 'platform/openssl' };
    return [
      ...Array.from({ length: week === 7 ? 1 : 10 }, (_, n) => record('login', n, 10, login)),
      ...Array.from({ length: scans }, (_, n) => record('scan', n, scans, scan)),
    ];
  }),
);

let cacheFolder: string;
beforeAll(() => {
  cacheFolder = temporaryFolder();
});

function surroundings() {
  const folder = writeTemporaryFiles({ 'events.jsonl': events });
  vi.stubEnv('XDG_CACHE_HOME', cacheFolder);
  const environment = { ASOF_WORKSPACE: path.join(folder, 'workspace') };
  const run = (words: string, options: { isTTY?: boolean } = {}) =>
    runForTest(
      words.split(' ').map((word) => word.replace('@', `${folder}/`)),
      { environment, now: parseInstant('2021-06-01'), ...options },
    );
  return { folder, run };
}

const file = '@events.jsonl --preset logs';

describe('asof topics', () => {
  it('lists the topics of a file with their course, label and terms', async () => {
    const { run } = surroundings();
    const { stdout, stderr, exitCode } = await run(`topics ${file}`);
    expect(exitCode).toBe(0);
    expect(stderr).toBe(
      'records are taken to be available from ts|timestamp|@timestamp|time on (--available-at names another field)\n',
    );
    const lines = stdout.split('\n');
    expect(lines.slice(0, 2)).toEqual([
      'as of 2021-06-01T00:00:00Z, complete until 2021-02-22T02:24:00Z',
      '8 slices by iso-week (2021-W01 to 2021-W08), 138 documents, 0% of them in no topic',
    ]);
    expect(lines[2]).toMatch(/^model [0-9a-f]{16}, available from 2021-02-22T00:00:00Z$/);
    expect(lines[4]).toMatch(/^topic {2}2021-W07 {2}2021-W08 so far {2}label +ratio {2}volume {3}terms$/);
    expect(lines[5]).toMatch(/^ +\d +10 +1 {2}stable +1\.00 {2}█{7} {2}.*okta/);
    expect(lines[6]).toMatch(/^ +\d +3 +1 {2}decay +0\.25 {2}█{5}▂▂ {2}.*openssl/);
  });

  it('publishes into a workspace, and repeats for ever what it has published', async () => {
    const { folder, run } = surroundings();
    await run('init');
    await run(`ingest ${file} --available-at ts`);
    const first = await run('topics --as-of 2021-02-10');
    expect(first.stdout).toContain('; 5 slices published now');
    const shown = JSON.parse((await run('topics --as-of 2021-02-10 --json')).stdout);
    expect(shown).toMatchObject({
      asOf: '2021-02-10T00:00:00Z',
      state: { asOf: '2021-02-10T00:00:00Z', root: expect.stringMatching(/^[0-9a-f]{64}$/) },
      sliceRule: { kind: 'iso-week' },
      parameters: { rule: { name: 'baseline' }, tracker: { name: 'carried' } },
      published: { read: 5, added: 0 },
      model: { availableAt: '2021-02-08T00:00:00Z' },
    });
    expect(shown.slices.map(({ id }: { id: string }) => id)).toHaveLength(6);
    const added = { id: 'late', ts: '2021-01-06T00:00Z', msg: 'Okta login failed late', tech: ['okta'] };
    writeFileSync(path.join(folder, 'late.jsonl'), jsonLines(added));
    expect((await run('ingest @late.jsonl --backfill')).exitCode).toBe(0);
    const later = await run('topics');
    expect(later.stdout).toContain('; 2 slices published now');
    const again = JSON.parse((await run('topics --as-of 2021-02-10 --json')).stdout);
    expect(again.slices).toEqual(shown.slices);
    const verified = await run('topics --verify');
    expect(verified).toMatchObject({ exitCode: 0, stderr: '7 published slices reproduced from the asset log\n' });
  });

  it('writes every topic and slice as CSV, Parquet and JSON, entities and terms included', async () => {
    const { folder, run } = surroundings();
    const out = (name: string) => path.join(folder, name);
    for (const name of ['topics.csv', 'topics.parquet', 'topics.json']) {
      expect((await run(`topics ${file} -o @${name}`)).stdout).toBe(`16 rows written to ${out(name)}\n`);
    }
    const lines = readFileSync(out('topics.csv'), 'utf8').split('\r\n');
    expect(lines).toHaveLength(18);
    expect(lines[1]).toMatch(
      /^2021-W01,2021-01-04T00:00:00Z,2021-01-11T00:00:00Z,2021-01-11T00:00:00Z,published,22,0,\d,/,
    );
    expect(lines.join()).toMatch(/decay,0\.25,0,"\[""[a-z]+/);
    const table = await readParquet(out('topics.parquet'), {
      slice: 'string',
      start: 'instant',
      label: 'string',
      documents: 'int32',
      terms: 'list<string>',
      entities: 'list<string>',
    });
    expect(table.rows).toBe(16);
    expect(table.slice[0]).toBe('2021-W01');
    expect(table.start[0]).toBe(start);
    expect(table.label.filter((label) => label === 'decay')).toHaveLength(2);
    expect(new Set(table.entities.values)).toEqual(new Set(['okta', 'openssl']));
    expect(JSON.parse(readFileSync(out('topics.json'), 'utf8')).slices).toHaveLength(8);
  });

  it('shows one topic slice by slice, with what happened to it', async () => {
    const { run } = surroundings();
    const { stdout } = await run(`topics show 1 ${file}`);
    expect(stdout).toMatch(/^topic 1 as of 2021-06-01T00:00:00Z, complete until/);
    expect(stdout).toMatch(/\n2021-W01 +\d+ {2}█+ +emergence/);
    expect(stdout).toMatch(/\n2021-W08 +1 {2}█+ +\(open\)/);
    expect(stdout).toMatch(/(okta|openssl) 100%\n/);
    expect(stdout).toMatch(/\n2021-W01 {2}1 emerged with 1\d documents\n$/);
    const shown = JSON.parse((await run(`topics show 1 ${file} --json`)).stdout);
    expect(shown.slices).toHaveLength(8);
    expect(
      new Set(shown.slices.flatMap(({ points }: never) => (points as { topic: number }[]).map((p) => p.topic))),
    ).toEqual(new Set([1]));
  });

  it('says why a list is empty', async () => {
    const { folder, run } = surroundings();
    writeFileSync(path.join(folder, 'one.jsonl'), jsonLines({ id: 'a', ts: '2021-01-04T00:00Z', msg: 'Okta login' }));
    const { stdout, exitCode } = await run('topics @one.jsonl --preset logs');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/\n\nno topic: one document; a topic needs 3 that are alike\n$/);
  });

  it('says where the stream cannot be complete until the time that was told', async () => {
    const { run } = surroundings();
    const late = await run(`topics ${file} --covered-until 2022-01-01`);
    expect(late.stderr).toMatch(
      /--covered-until 2022-01-01T00:00:00Z is after 2021-06-01T00:00:00Z, as of which nothing/,
    );
    const early = await run(`topics ${file} --covered-until 2020-01-01`);
    expect(early.stderr).toMatch(
      /--covered-until 2020-01-01T00:00:00Z is before the first document: there is no slice/,
    );
    expect(early.stdout).toMatch(/\nno topic: 0 documents;/);
    expect((await run(`topics ${file} --covered-until 2021-05-01`)).stderr).not.toContain('covered-until');
  });

  it('tracks by other rules, slices and clusterings', async () => {
    const { run } = surroundings();
    for (const [words, expected] of [
      ['--rule delta --tracker matched --clusters 2', /"name": "matched"[\s\S]*"name": "delta"/],
      ['--tracker matched --clusters hdbscan --slices us-week', /"kind": "us-week"[\s\S]*"kind": "hdbscan"/],
      ['--slices adaptive --slice-documents 40', /"kind": "equal-count"/],
      ['--lateness 2d --growth 2 --settle 0', /"growth": 2/],
    ] as const) {
      const { stdout, exitCode } = await run(`topics ${file} ${words} --json`);
      expect({ words, exitCode }).toEqual({ words, exitCode: 0 });
      expect(stdout).toMatch(expected);
    }
  });

  it('evaluates against series of a field', async () => {
    const { folder, run } = surroundings();
    const words = `topics evaluate ${file} --series team --series-prefix / --burn-in 0 --least-documents 20`;
    const names = { identity: ['okta'], platform: ['openssl'] };
    writeFileSync(path.join(folder, 'names.json'), JSON.stringify(names));
    const { stdout, stderr } = await run(`${words} --names @names.json --compare`);
    expect(stderr).not.toContain('asof:');
    expect(stdout).toMatch(/^2 series over 7 slices and 136 documents: 6 labels\n/);
    expect(stdout).toMatch(/\ntracker, as of each slice +1\.000 +- \(0 of 0\) +1\.000 \(2 of 2\) +1\.000/);
    expect(stdout).toMatch(/\nglobal clustering, in hindsight /);
    expect(stdout).toMatch(/\ntracker: hindsight changes 0 of 6 labels \(0\.0%\), macro-F1 by 0\.000\n/);
    expect(stdout).toMatch(/\nidentity +70 /);
    expect(JSON.parse((await run(`${words} --names @names.json --json`)).stdout).ways).toHaveLength(1);
  });

  it('says what is wrong in one line', async () => {
    const { folder, run } = surroundings();
    writeFileSync(path.join(folder, 'names.json'), '{"a": "b"}');
    await run('init');
    for (const [words, message] of [
      ['topics show 77 @events.jsonl --preset logs', /topic: got "77", expected a topic as of then: a number up to 2/],
      ['topics show x', /topic: got "x", expected a topic; there are none as of then/],
      ['topics @none.jsonl', /none\.jsonl is missing: no such file/],
      ['topics --preset logs', /mapping: got "given", expected files beside it/],
      [
        'topics @events.jsonl --preset logs -w @workspace',
        /--workspace: got .*expected files or a workspace, not both/,
      ],
      ['topics --slices fortnight', /'fortnight' is invalid/],
      [
        'topics --tracker matched --clusters many',
        /--clusters: got "many", expected elbow, silhouette, hdbscan, or a number/,
      ],
      ['topics --tracker carried --clusters 3', /--clusters: got "3", expected --tracker matched beside it/],
      ['topics --clusters 3', /--clusters: got "3", expected --tracker matched beside it/],
      ['topics --seed -1', /--seed: got "-1", expected an integer of at least 0/],
      ['topics --slice-documents 9', /--slice-documents: got "9", expected --slices equal-count beside it/],
      ['topics --rule delta --settle 3', /--settle: got "3", expected --rule baseline beside it/],
      ['topics --growth fast', /--growth: got "fast", expected a number/],
      ['topics --growth 0.5', /growth: got 0\.5, expected a number above 1/],
      ['topics --lateness 3', /--lateness: got "3", expected a unit after the number/],
      ['topics --as-of someday', /got "someday", expected an ISO 8601 date/],
      ['topics --top 0', /--top: got "0", expected an integer of at least 1/],
      ['topics -o @topics.txt', /out: got .*expected a name that ends in \.csv, \.parquet, \.json, or --out-format/],
      ['topics evaluate --names @names.json', /names\.json: got .*expected an object of lists of names/],
      ['topics evaluate', /finished slices: got 0, expected at least 18/],
      ['topics -w @nowhere', /nowhere\/workspace\.json is missing: make a workspace with asof init/],
    ] as const) {
      const { exitCode, stdout, stderr } = await run(words);
      expect({ words, exitCode, stdout }).toEqual({ words, exitCode: 2, stdout: '' });
      expect(stderr.trim().split('\n').at(-1)).toMatch(message);
    }
  });
});
