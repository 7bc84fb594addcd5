import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { jsonLines, writeTemporaryFiles } from '../corpus/testing/temporaryFiles.js';
import { runForTest } from './testing/runForTest.js';

// Every command opens the workspace on disk anew.
vi.setConfig({ testTimeout: 60_000 });

const records = jsonLines(
  { id: 'CVE-1', published: '2020-01-02T14:16Z', description: 'First.', products: ['v:p'] },
  { id: 'CVE-2', published: '2020-02-01', description: 'Second.' },
);

/** A folder with a workspace in it and a file of records, and a way to run commands on them. */
async function surroundings() {
  const folder = writeTemporaryFiles({ 'cves.jsonl': records });
  const environment = { ASOF_WORKSPACE: path.join(folder, 'workspace') };
  const run = (words: string, options: { stdin?: string; now?: number } = {}) =>
    runForTest(
      words.split(' ').map((word) => word.replace('@', `${folder}/`)),
      { environment, now: Date.UTC(2021, 0, 1), ...options },
    );
  expect(await run('init')).toMatchObject({ exitCode: 0, stdout: `made workspace ${environment.ASOF_WORKSPACE}\n` });
  return { folder, run };
}

const ingestWords = 'ingest @cves.jsonl --preset nvd --available-at published';

describe('asof ingest, show, status, export, withdraw', () => {
  it('go from files to answers as of a time', async () => {
    const { folder, run } = await surroundings();
    expect(await run(ingestWords)).toEqual({
      exitCode: 0,
      stdout: `${folder}/cves.jsonl: 2 read, 2 new, 0 new versions, 0 unchanged\n`,
      stderr: '',
    });
    expect((await run('ingest @cves.jsonl')).stdout).toMatch(
      /0 new, 0 new versions, 2 unchanged; the log is as it was/,
    );

    const shown = await run('show CVE-1 --as-of 2020-01-03');
    expect(shown.stdout).toContain('as of         2020-01-03T00:00:00Z');
    expect(shown.stdout).toMatch(/\n\nFirst\.\n$/);
    expect((await run('show CVE-2 --as-of 2020-01-31T23:59:59.999Z')).stdout).toBe(
      'CVE-2: nothing current as of 2020-01-31T23:59:59.999Z\n',
    );
    const answer = JSON.parse((await run('show CVE-1 --as-of 2020-01-03 --json')).stdout);
    expect(answer).toMatchObject({
      id: 'CVE-1',
      asOf: '2020-01-03T00:00:00Z',
      version: { text: 'First.', fields: { products: ['v:p'] }, availableAt: '2020-01-02T14:16:00Z' },
      state: { size: 1, asOf: '2020-01-03T00:00:00Z' },
    });

    const refused = await run('withdraw CVE-1 --at 2020-06-01');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toMatch(/withdrawal of CVE-1: got "2020-06-01T00:00:00Z", expected .* or --backfill/);
    const withdrawn = await run('withdraw CVE-1 --at 2020-06-01 --backfill');
    expect(withdrawn.stdout).toBe('1 withdrawn as of 2020-06-01T00:00:00Z\n');
    expect(withdrawn.stderr).toMatch(/^late: answers as of 2020-06-01/);
    expect(JSON.parse((await run('show CVE-1 --as-of 2020-01-03 --json')).stdout)).toEqual(answer);
    expect((await run('show CVE-1 --history')).stdout).toMatch(
      /2020-01-02T14:16:00Z {2}2020-06-01T00:00:00Z {2}withdrawal/,
    );
    expect(JSON.parse((await run('show CVE-1 --history --json')).stdout).versions).toMatchObject([
      { endsAt: '2020-06-01T00:00:00Z', endedBy: 'withdrawal' },
    ]);

    expect((await run('status --verify')).stdout).toMatch(
      /^workspace .*\nlog +3 +operations, root [0-9a-f]{64}\nassets +2 +1 current as of 2021/,
    );
    expect(JSON.parse((await run('status --json --as-of 2020-03-01')).stdout)).toMatchObject({
      assets: 2,
      current: 2,
      versions: 2,
      withdrawals: 1,
      totals: { added: 2, withdrawn: 1, late: 1 },
      mapping: { preset: 'nvd' },
    });

    const exported = await run('export --as-of 2020-03-01');
    expect(
      exported.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['CVE-1', 'CVE-2']);
    expect((await run('export -o @out.csv')).stdout).toBe(`1 version written to ${folder}/out.csv\n`);
    expect(readFileSync(path.join(folder, 'out.csv'), 'utf8')).toMatch(/^id,type,title,text,/);
    const again = await run('export -o @out.csv');
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--force to replace it') });
    expect((await run('export -o @out.csv --force')).exitCode).toBe(0);
    const own = await run('export -o @workspace/segments/1/rows.parquet --force');
    expect(own).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('a file that is no input') });
    expect((await run('status --verify')).exitCode).toBe(0);
    expect((await run('export -o @out.parquet --history --as-of 2020-03-01')).stdout).toContain('2 versions');
  });

  it.each(['status', 'show a', 'export', 'ingest @cves.jsonl', 'withdraw a'])(
    'leave nothing behind where there is no workspace: %s',
    async (words) => {
      const folder = writeTemporaryFiles({ 'cves.jsonl': records });
      const environment = { ASOF_WORKSPACE: path.join(folder, 'none') };
      const { exitCode, stderr } = await runForTest(words.replace('@', `${folder}/`).split(' '), { environment });
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('make a workspace') });
      expect(existsSync(environment.ASOF_WORKSPACE)).toBe(false);
    },
  );

  it('asks for --backfill before the past changes, also where a saved mapping declares the times (case 6)', async () => {
    const { folder, run } = await surroundings();
    await run(ingestWords);
    const before = (await run('show CVE-1 --as-of 2020-12-31 --json')).stdout;
    writeFileSync(
      path.join(folder, 'older.jsonl'),
      jsonLines({ id: 'CVE-0', published: '2020-01-01', description: 'Older.' }),
    );
    const refused = await run('ingest @older.jsonl', { now: Date.UTC(2021, 0, 2) });
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/CVE-0: got .* or --backfill: a late/),
    });
    expect((await run('show CVE-1 --as-of 2020-12-31 --json')).stdout).toBe(before);
    const allowed = await run('ingest @older.jsonl --backfill', { now: Date.UTC(2021, 0, 2) });
    expect(allowed).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('1 late arrival: it changes answers'),
    });
  });

  it('takes a mapping by hand, and standard input', async () => {
    const { run } = await surroundings();
    const words = 'ingest - --map id={product}/{cycle} text=latest --event-at released --zone Europe/Berlin --json';
    const stdin = jsonLines({ product: 'node', cycle: 20, latest: '20.1', released: '2024-03-31 02:30' });
    const { stdout } = await run(words, { stdin });
    expect(JSON.parse(stdout)).toMatchObject({
      totals: { added: 1 },
      files: [{ file: '-', decisions: { gap: 1, overlap: 0, truncated: 0 } }],
      mapping: { fields: { id: '{product}/{cycle}' }, instants: { zone: 'Europe/Berlin' } },
      log: { size: 1 },
    });
    const again = await run('ingest -', { stdin });
    expect(again.stderr).toBe('-: 1 local time that a clock change skipped, read with the offset from before it\n');
    expect((await run('show node/20')).stdout).toContain('event at      2024-03-31T01:30:00Z');
  });

  it('says what is wrong in one line, and leaves all as it was', async () => {
    const { folder, run } = await surroundings();
    writeFileSync(path.join(folder, 'bad.jsonl'), `${records}{"id":"CVE-3","published":"3 March","description":"x"}\n`);
    for (const [words, message] of [
      ['ingest @bad.jsonl --preset nvd', /bad\.jsonl:3: eventAt: got "3 March", expected an ISO 8601 date/],
      ['ingest @bad.jsonl', /bad\.jsonl:1: text: got nothing, expected a text in text\|table/],
      ['ingest @none.jsonl', /none\.jsonl is missing: no such file/],
      ['ingest @cves.jsonl --map texts=description', /map: got "texts", expected one of id, type, title/],
      ['ingest @cves.jsonl --preset cve', /'cve' is invalid/],
      ['show CVE-1 --as-of yesterday', /time: got "yesterday", expected an ISO 8601 date/],
      ['show CVE-9', /id: got "CVE-9", expected an asset that was ever in the workspace/],
      ['show CVE-9 --history', /id: got "CVE-9", expected an asset that was ever in the workspace/],
      ['withdraw CVE-1', /id: got "CVE-1", expected an asset that is current as of 2021-01-01T00:00:00Z/],
      ['export -o @out.txt', /out: got .*expected a name that ends in \.jsonl, \.csv, \.parquet, or --format/],
      ['export --format parquet', /format: got "parquet", expected a file to write it to/],
      ['init', /exists already and is left as it is: it is a workspace already/],
      ['status -w @nowhere', /nowhere\/workspace\.json is missing: make a workspace with asof init/],
    ] as const) {
      const { exitCode, stdout, stderr } = await run(words);
      expect({ words, exitCode, stdout }).toEqual({ words, exitCode: 2, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(existsSync(path.join(folder, 'out.txt'))).toBe(false);
    expect(JSON.parse((await run('status --json')).stdout)).toMatchObject({ log: { size: 0 }, mapping: null });
    const skipped = await run('ingest @bad.jsonl --preset nvd --on-error skip');
    expect(skipped.stdout).toMatch(/3 read, 2 new, 0 new versions, 0 unchanged, 1 rejected/);
    expect(skipped.stderr).toMatch(/rejected records and reasons in rejects\/2021-01-01T00-00-00Z\.bad\.jsonl\.jsonl/);
  });
});
