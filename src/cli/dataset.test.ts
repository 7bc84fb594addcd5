import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../commitment/sha256.js';
import { noneDropped } from '../corpus/dropped.js';
import { jsonLines, writeTemporaryFiles } from '../corpus/testing/temporaryFiles.js';
import { runForTest } from './testing/runForTest.js';

const assets = jsonLines(
  { id: 'b', type: 'text', text: 'same', availableAt: '2020-01-02T14:16Z', eventAt: '2020-01-03' },
  { id: 'a', type: 'table', table: { header: ['h'], rows: [['1']] }, eventAt: '2019-12-31T23:00:00-01:00' },
  { id: 'c', type: 'text', text: 'same', group: 'g' },
  { id: 'd', type: 'text', text: '' },
);
const requests = jsonLines(
  { id: 'q2', text: 'two', gold: ['a', 'b'], observedAt: '2020-03-01T00:00:00.250Z' },
  { id: 'q1', text: 'two', gold: ['b'], observedAt: '2020-02-01', feedbackAt: '2020-02-02' },
);
const sample = () => writeTemporaryFiles({ 'set/assets.jsonl': assets, 'set/requests.jsonl': requests });

describe('asof dataset list', () => {
  it('names every format, and public data sets with licence and origin', async () => {
    const { exitCode, stdout } = await runForTest(['dataset', 'list']);
    expect(exitCode).toBe(0);
    for (const text of [
      'asof',
      'tatqa',
      'dpdisc',
      'freshstack',
      'beir',
      'trec',
      'CC BY 4.0',
      'https://github.com/NExTplusplus/TAT-QA',
    ]) {
      expect(stdout).toContain(text);
    }
    const { formats, datasets } = JSON.parse((await runForTest(['dataset', 'list', '--json'])).stdout);
    const known = new Set(formats.map(({ format }: { format: string }) => format));
    for (const dataset of datasets) {
      expect(known).toContain(dataset.format);
      expect(dataset.licence).not.toBe('');
    }
  });
});

describe('asof dataset info', () => {
  it('counts assets, requests, products and clocks, and hashes the files', async () => {
    const folder = join(sample(), 'set');
    const { exitCode, stdout } = await runForTest(['dataset', 'info', folder, '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      name: 'set',
      format: 'asof',
      detection: 'asof: found assets.jsonl, requests.jsonl',
      assets: {
        total: 4,
        byType: { table: 1, text: 3 },
        emptyTexts: 1,
        repeatedTexts: 1,
        eventAfterAvailable: 1,
        eventAt: { known: 2, first: '2020-01-01T00:00:00Z', last: '2020-01-03T00:00:00Z' },
        availableAt: { known: 1, first: '2020-01-02T14:16:00Z', last: '2020-01-02T14:16:00Z' },
      },
      requests: {
        total: 2,
        repeatedTexts: 1,
        observedAt: { known: 2, first: '2020-02-01T00:00:00Z', last: '2020-03-01T00:00:00.250Z' },
        laterFeedback: 1,
      },
      products: {
        total: 3,
        meanSize: 1.5,
        smallest: 1,
        largest: 2,
        assetsInNone: 2,
        requestsByType: { table: 1, text: 2 },
      },
      dropped: noneDropped(),
      inputs: [
        { path: join(folder, 'assets.jsonl'), role: 'assets', bytes: assets.length, sha256: sha256Hex(assets) },
        { path: join(folder, 'requests.jsonl'), role: 'requests', bytes: requests.length, sha256: sha256Hex(requests) },
      ],
    });
  });

  it('prints a table for people, and the format that it found out beside it', async () => {
    const { stdout, stderr } = await runForTest(['dataset', 'info', join(sample(), 'set')]);
    expect(stderr).toBe('format asof: found assets.jsonl, requests.jsonl\n');
    expect(stdout).toMatch(/^set \(asof\)\n\nassets +4\n {2}type table +1\n {2}type text +3\n/);
    expect(stdout).toMatch(/ {2}observed at +2 +2020-02-01T00:00:00Z to 2020-03-01T00:00:00\.250Z\n/);
    expect(stdout).toMatch(/product size +1\.50 +mean; 1 to 2\n/);
    expect(stdout).toContain(sha256Hex(assets));
    expect(stdout).not.toContain('left out');
  });

  it('tells an empty data set without NaN', async () => {
    const folder = writeTemporaryFiles({ 'assets.jsonl': '' });
    expect((await runForTest(['dataset', 'info', folder])).stdout).not.toMatch(/NaN|undefined|Infinity/);
    const { products } = JSON.parse((await runForTest(['dataset', 'info', folder, '--json'])).stdout);
    expect(products).toEqual({
      total: 0,
      meanSize: null,
      smallest: null,
      largest: null,
      assetsInNone: 0,
      requestsByType: {},
    });
  });

  it('reads standard input, compressed or not', async () => {
    for (const stdin of [assets, gzipSync(assets)]) {
      const { stdout } = await runForTest(['dataset', 'info', '-', '--format', 'asof', '--json'], { stdin });
      expect(JSON.parse(stdout)).toMatchObject({ name: 'stdin', assets: { total: 4 } });
    }
  });

  it('says what it left out when asked to go on', async () => {
    const folder = writeTemporaryFiles({ 'assets.jsonl': `${assets}not json\n`, 'requests.jsonl': requests });
    expect((await runForTest(['dataset', 'info', folder])).stderr).toMatch(/^asof: .*assets\.jsonl:5: got "not json"/);
    const { exitCode, stdout } = await runForTest(['dataset', 'info', folder, '--skip-invalid']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/left out\n {2}malformed +1\n/);
  });

  it('passes on how times are written', async () => {
    const folder = writeTemporaryFiles({
      'assets.jsonl': jsonLines({ id: 'a', text: 't', eventAt: '10/03/2024 02:30' }),
    });
    const words = [
      'dataset',
      'info',
      folder,
      '--json',
      '--date-format',
      'DD/MM/YYYY HH:mm',
      '--zone',
      'America/New_York',
    ];
    expect(JSON.parse((await runForTest(words)).stdout).assets.eventAt.first).toBe('2024-03-10T07:30:00Z');
  });
});

describe('asof dataset convert', () => {
  const convert = (...words: string[]) => runForTest(['dataset', 'convert', '--to', 'asof', ...words]);

  it('writes asof JSONL in corpus and id order, and reports the files', async () => {
    const folder = sample();
    const out = join(folder, 'new', 'out');
    const { exitCode, stdout } = await convert(join(folder, 'set'), '--out', out, '--json');
    expect(exitCode).toBe(0);
    expect(readFileSync(join(out, 'assets.jsonl'), 'utf8')).toBe(
      jsonLines(
        { id: 'a', type: 'table', table: { header: ['h'], rows: [['1']] }, eventAt: '2020-01-01T00:00:00Z' },
        { id: 'c', type: 'text', text: 'same', group: 'g' },
        { id: 'd', type: 'text', text: '' },
        { id: 'b', type: 'text', text: 'same', eventAt: '2020-01-03T00:00:00Z', availableAt: '2020-01-02T14:16:00Z' },
      ),
    );
    const written = readFileSync(join(out, 'requests.jsonl'));
    expect(written.toString()).toBe(
      jsonLines(
        { id: 'q1', text: 'two', gold: ['b'], observedAt: '2020-02-01T00:00:00Z', feedbackAt: '2020-02-02T00:00:00Z' },
        { id: 'q2', text: 'two', gold: ['a', 'b'], observedAt: '2020-03-01T00:00:00.250Z' },
      ),
    );
    const { outputs } = JSON.parse(stdout);
    expect(outputs[1]).toEqual({
      path: join(out, 'requests.jsonl'),
      bytes: written.length,
      sha256: sha256Hex(written),
    });
    expect(readdirSync(join(folder, 'new'))).toEqual(['out']);
  });

  it('gives the same bytes for the same input, compressed too, and from its own output', async () => {
    const folder = sample();
    const bytes = async (source: string, ...more: string[]) => {
      const out = join(folder, `out${readdirSync(folder).length}`);
      expect((await convert(source, '--out', out, ...more)).exitCode).toBe(0);
      return {
        out,
        content: readdirSync(out)
          .sort()
          .map((name) => [name, readFileSync(join(out, name)).toString('hex')]),
      };
    };
    const first = await bytes(join(folder, 'set'));
    expect((await bytes(join(folder, 'set'))).content).toEqual(first.content);
    expect((await bytes(first.out)).content).toEqual(first.content);
    const compressed = await bytes(join(folder, 'set'), '--gzip');
    expect((await bytes(join(folder, 'set'), '--gzip')).content).toEqual(compressed.content);
    const [name, content] = compressed.content[0]! as [string, string];
    expect(name).toBe('assets.jsonl.gz');
    expect(gunzipSync(Buffer.from(content, 'hex')).toString('hex')).toBe(first.content[0]![1]);
  });

  it('touches no folder that holds something, unless told to', async () => {
    const folder = sample();
    const out = join(folder, 'out');
    mkdirSync(out);
    writeFileSync(join(out, 'assets.jsonl'), 'mine');
    writeFileSync(join(out, 'other'), 'mine too');
    const refused = await convert(join(folder, 'set'), '--out', out);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toMatch(/expected a folder that is empty or new/);
    expect(readFileSync(join(out, 'assets.jsonl'), 'utf8')).toBe('mine');
    expect((await convert(join(folder, 'set'), '--out', out, '--force')).exitCode).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['assets.jsonl', 'other', 'requests.jsonl']);
    expect(readFileSync(join(out, 'assets.jsonl'), 'utf8')).toMatch(/^{"id":"a"/);
    expect(readdirSync(folder).sort()).toEqual(['out', 'set']);
  });

  it('writes nothing when the input cannot be used', async () => {
    const folder = writeTemporaryFiles({
      'set/assets.jsonl': assets,
      'set/requests.jsonl': jsonLines({ id: 'q', text: 't', gold: ['zz'] }),
    });
    const { exitCode, stderr } = await convert(join(folder, 'set'), '--out', join(folder, 'out'));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/requests\.jsonl:1: gold\[0\]: got "zz"/);
    expect(readdirSync(folder)).toEqual(['set']);
  });

  it('names the line of a time that is none in the middle of 10,000, and writes nothing (case 18)', async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ id: `a${index}`, text: 't', eventAt: '2024-03-01' }));
    rows[4_999]!.eventAt = '';
    const folder = writeTemporaryFiles({ 'set/assets.jsonl': jsonLines(...rows) });
    const { exitCode, stderr } = await convert(join(folder, 'set'), '--out', join(folder, 'out'));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/assets\.jsonl:5000: eventAt: got "", expected a date, not an empty text\n$/);
    expect(readdirSync(folder)).toEqual(['set']);
  });

  it('refuses a file as its folder', async () => {
    const folder = writeTemporaryFiles({ 'set/assets.jsonl': assets, file: '' });
    expect((await convert(join(folder, 'set'), '--out', join(folder, 'file'))).stderr).toMatch(
      /out: got .*expected a folder\n$/,
    );
  });
});
