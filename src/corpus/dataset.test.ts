import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadDataset } from './dataset.js';
import { noneDropped } from './dropped.js';
import { productOf } from './products.js';
import { jsonLines, writeTemporaryFiles } from './testing/temporaryFiles.js';

const assets = jsonLines(
  { id: 'p2', type: 'text', text: 'a passage', eventAt: '2007-12-31T00:00:00Z', availableAt: '2020-01-02T14:16Z' },
  { id: 't1', type: 'table', title: 'Sales', table: { header: ['', '2019'], rows: [['Total', '1,496']] }, extra: 1 },
);
const requests = jsonLines(
  { id: 'q1', text: 'total sales', gold: ['t1', 'p2'], observedAt: '2020-02-01', dialogue: 'd', turn: 3 },
  { id: 'q0', text: 'passage', gold: ['p2'], observedAt: '2020-01-01T00:00:00+01:00', feedbackAt: '2020-01-01' },
);

describe('loadDataset of asof JSONL', () => {
  it('reads corpus, requests and products, with clocks and a record of every file', async () => {
    const folder = writeTemporaryFiles({ 'assets.jsonl': assets, 'requests.jsonl': requests });
    const dataset = await loadDataset({ path: folder, name: 'two' });
    expect(dataset.name).toBe('two');
    expect(dataset.format).toBe('asof');
    expect(dataset.corpus.ids).toEqual(['t1', 'p2']);
    expect(dataset.corpus.texts).toEqual(['Sales\n | 2019\nTotal | 1,496', 'a passage']);
    expect([...dataset.corpus.availableAt]).toEqual([Number.NEGATIVE_INFINITY, Date.UTC(2020, 0, 2, 14, 16)]);
    expect([...dataset.corpus.eventAt]).toEqual([Number.NaN, Date.UTC(2007, 11, 31)]);
    expect(dataset.requests.ids).toEqual(['q0', 'q1']);
    expect([...dataset.requests.observedAt]).toEqual([Date.UTC(2019, 11, 31, 23), Date.UTC(2020, 1, 1)]);
    expect([...dataset.requests.feedbackAt]).toEqual([Date.UTC(2020, 0, 1), Date.UTC(2020, 1, 1)]);
    expect([0, 1].map((request) => [...productOf(dataset.products, request)])).toEqual([[1], [0, 1]]);
    expect(dataset.dropped).toEqual(noneDropped());
    const bytes = readFileSync(join(folder, 'assets.jsonl'));
    expect(dataset.inputs).toEqual([
      {
        path: join(folder, 'assets.jsonl'),
        role: 'assets',
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
      expect.objectContaining({ path: join(folder, 'requests.jsonl'), role: 'requests' }),
    ]);
  });

  it('gives tables as headers alone when asked', async () => {
    const folder = writeTemporaryFiles({ 'assets.jsonl': assets });
    const { corpus } = await loadDataset({ path: folder, tableText: 'headers' });
    expect(corpus.texts[0]).toBe('Sales\n | 2019');
  });

  it('gives the same whatever the order of files, and whether they are compressed', async () => {
    const [first, second] = assets.trim().split('\n') as [string, string];
    const folder = writeTemporaryFiles({ a: first, 'b.jsonl.gz': second, c: gzipSync(second), r: gzipSync(requests) });
    const one = await loadDataset({ assets: [join(folder, 'a'), join(folder, 'c')], requests: [join(folder, 'r')] });
    const two = await loadDataset({
      assets: [join(folder, 'b.jsonl.gz'), join(folder, 'a')],
      requests: [join(folder, 'r')],
    });
    const { rowOf: _, ...columns } = one.corpus;
    expect(two.corpus).toEqual(expect.objectContaining(columns));
    expect(two.requests).toEqual(one.requests);
    expect(two.products).toEqual(one.products);
  });

  it('reads standard input for a hyphen', async () => {
    const folder = writeTemporaryFiles({ 'requests.jsonl': requests });
    const { corpus, inputs } = await loadDataset({
      assets: ['-'],
      requests: [join(folder, 'requests.jsonl')],
      stdin: Readable.from([Buffer.from(assets.slice(0, 1)), Buffer.from(assets.slice(1))]),
    });
    expect(corpus.size).toBe(2);
    expect(inputs[0]).toMatchObject({ path: '-', bytes: assets.length });
  });

  it.each([
    ['an id that another asset has', assets + assets, requests, /assets\.jsonl:3: id: got "p2".*first at .*:1\)/],
    [
      'an unknown gold id',
      assets,
      jsonLines({ id: 'q', text: 't', gold: ['zz'] }),
      /requests\.jsonl:1: gold\[0\]: got "zz"/,
    ],
    ['an empty product', assets, jsonLines({ id: 'q', text: 't' }), /requests\.jsonl:1: gold: got \[\]/],
    ['a request without text', assets, jsonLines({ id: 'q', gold: ['t1'] }), /requests\.jsonl:1: text: .*request "q"/],
    ['an id that another request has', assets, requests + requests, /requests\.jsonl:3: id: got "q1"/],
    ['a record without id', assets + jsonLines({ text: 't' }), requests, /assets\.jsonl:3: id: got nothing/],
    [
      'a time that is none',
      assets + jsonLines({ id: 'x', text: 't', eventAt: '2020-02-30' }),
      requests,
      /assets\.jsonl:3: eventAt: got "2020-02-30"/,
    ],
    [
      'a cell that is none',
      assets + jsonLines({ id: 'x', table: { header: [], rows: [['', {}]] } }),
      requests,
      /assets\.jsonl:3: table\.rows\[0\]\[1\]: got {}/,
    ],
    [
      'an asset without content',
      assets + jsonLines({ id: 'x', type: 'text' }),
      requests,
      /assets\.jsonl:3: text: got nothing/,
    ],
    ['a line that is no JSON', `${assets}{"id": "x"\n`, requests, /assets\.jsonl:3: got .*expected a JSON object/],
    ['a line that is no object', `${assets}[]\n`, requests, /assets\.jsonl:3: got "\[\]", expected a JSON object/],
  ])('refuses %s, naming file, line and id; with skipInvalid it counts it (case 26)', async (_rule, a, r, message) => {
    const folder = writeTemporaryFiles({ 'assets.jsonl': a, 'requests.jsonl': r });
    await expect(loadDataset({ path: folder })).rejects.toThrow(message);
    const { dropped } = await loadDataset({ path: folder, skipInvalid: true });
    expect(Object.values(dropped).reduce((sum, count) => sum + count)).toBeGreaterThan(0);
  });

  it('names what is missing', async () => {
    const folder = writeTemporaryFiles({ 'notes.txt': '' });
    await expect(loadDataset({ path: folder })).rejects.toThrow(/none of the known forms: asof \(assets\.jsonl/);
    await expect(loadDataset({ path: join(folder, 'nowhere') })).rejects.toThrow(/nowhere is missing/);
    await expect(loadDataset({ assets: [join(folder, 'no.jsonl')] })).rejects.toThrow(/no\.jsonl is missing/);
    await expect(loadDataset({})).rejects.toThrow(/expected a folder or files/);
  });
});
