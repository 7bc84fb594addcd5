import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Dataset, loadDataset } from '../dataset.js';
import { noneDropped } from '../dropped.js';
import { productOf } from '../products.js';
import { writeTemporaryFiles } from '../testing/temporaryFiles.js';
import { sampleDatasets } from './testing/sampleDatasets.js';

function describeAssets({ corpus }: Dataset): string[] {
  return corpus.ids.map((id, row) => `${corpus.typeNames[corpus.types[row]!]} ${id}: ${corpus.texts[row]}`);
}

function describeRequests({ corpus, requests, products }: Dataset): string[] {
  return requests.ids.map((id, request) => {
    const observedAt = requests.observedAt[request]!;
    const clock = Number.isNaN(observedAt) ? '' : ` @${observedAt}`;
    const gold = Array.from(productOf(products, request), (row) => corpus.ids[row]).sort();
    return `${id}: ${requests.texts[request]}${clock} -> ${gold.join(' ')}`;
  });
}

const map = (files: Record<string, string>, change: (content: string) => string | Uint8Array) =>
  Object.fromEntries(Object.entries(files).map(([name, content]) => [name, change(content)]));

describe.each(sampleDatasets)(
  'reader of $format, $options',
  ({ format, options, files, assets, requests, unjudged, faults }) => {
    const expectSample = (dataset: Dataset) => {
      expect(describeAssets(dataset)).toEqual(assets.map((text) => text.replace(/\n+$/, '')));
      expect(describeRequests(dataset)).toEqual(requests);
      expect(dataset.dropped).toEqual({ ...noneDropped(), unjudged: unjudged ?? 0 });
    };

    it('reads a folder and finds out the format', async () => {
      const dataset = await loadDataset({ path: writeTemporaryFiles(files), ...options });
      expect(dataset.format).toBe(format);
      expect(dataset.detection).toContain(format);
      expect(dataset.inputs).toHaveLength(Object.keys(files).length);
      expectSample(dataset);
    });

    it('reads it compressed, with a name that says so or not', async () => {
      const compressed = map(files, (content) => gzipSync(content));
      expectSample(await loadDataset({ path: writeTemporaryFiles(compressed), format, ...options }));
      const renamed = Object.fromEntries(Object.entries(compressed).map(([name, content]) => [`${name}.gz`, content]));
      expectSample(await loadDataset({ path: writeTemporaryFiles(renamed), format, ...options }));
    });

    it('drops a byte order mark and CR before LF (cases 15, 16)', async () => {
      const marked = map(files, (content) => `\ufeff${content.replaceAll('\n', '\r\n')}`);
      expectSample(await loadDataset({ path: writeTemporaryFiles(marked), ...options }));
    });

    it('passes over empty lines at the end', async () => {
      expectSample(
        await loadDataset({ path: writeTemporaryFiles(map(files, (content) => `${content}\n\r\n`)), ...options }),
      );
    });

    it('refuses a compressed file that is cut short', async () => {
      const cut = map(files, (content) => gzipSync(content).subarray(0, -5));
      await expect(loadDataset({ path: writeTemporaryFiles(cut), format, ...options })).rejects.toThrow(
        /expected a whole, undamaged gzip stream/,
      );
    });

    it('makes an empty data set of empty files, where the format allows them', async () => {
      const empty = map(files, (content) => (content.startsWith('[') ? '[]' : ''));
      const dataset = await loadDataset({ path: writeTemporaryFiles(empty), format, ...options });
      expect([dataset.corpus.size, dataset.requests.size]).toEqual([0, 0]);
    });

    it.each(faults)(
      'refuses $rule, naming file, line and value; with skipInvalid it counts it (case 26)',
      async ({ file, content, message }) => {
        const folder = writeTemporaryFiles({ ...files, [file]: content(files[file]!) });
        await expect(loadDataset({ path: folder, format, ...options })).rejects.toThrow(message);
        const { dropped } = await loadDataset({ path: folder, format, ...options, skipInvalid: true });
        const { unjudged: _, ...invalid } = dropped;
        expect(Object.values(invalid).reduce((sum, count) => sum + count)).toBeGreaterThan(0);
      },
    );
  },
);

describe('choice of format and files', () => {
  const sample = (format: string) => sampleDatasets.find((candidate) => candidate.format === format)!;

  it('finds out the format of a single file by its first record', async () => {
    for (const [name, format] of [
      ['tatqa_dataset_dev.json', 'tatqa'],
      ['Toy_corpus.jsonl', 'dpdisc'],
      ['assets.jsonl', 'asof'],
    ] as const) {
      const folder = writeTemporaryFiles({ data: sample(format).files[name]! });
      const dataset = await loadDataset({ path: join(folder, 'data') });
      expect(dataset.format).toBe(format);
      expect(describeAssets(dataset)).toHaveLength(sample(format).assets.length);
    }
  });

  it('lists the choices where several formats fit', async () => {
    const folder = writeTemporaryFiles({ ...sample('asof').files, ...sample('tatqa').files });
    await expect(loadDataset({ path: folder })).rejects.toThrow(
      /format: got nothing, expected one by name.*asof .*; tatqa/,
    );
    expect((await loadDataset({ path: folder, format: 'tatqa' })).corpus.size).toBe(4);
  });

  it('says which formats exist where none fits, and which one is unknown', async () => {
    const folder = writeTemporaryFiles({ 'data.json': '{"hello": 1}' });
    await expect(loadDataset({ path: join(folder, 'data.json') })).rejects.toThrow(
      /none of the known forms: asof .*trec/,
    );
    await expect(loadDataset({ path: folder, format: 'beir' })).rejects.toThrow(
      /put corpus\.jsonl, queries\.jsonl, qrels/,
    );
    await expect(loadDataset({ path: folder, format: 'csv' as 'asof' })).rejects.toThrow(
      /format: got "csv", expected one of asof/,
    );
  });

  it('lets named files stand in for those of the folder', async () => {
    const { files } = sample('asof');
    const folder = writeTemporaryFiles({ ...files, 'other.jsonl': '{"id":"o","text":"other","gold":["b"]}' });
    const dataset = await loadDataset({ path: folder, requests: [join(folder, 'other.jsonl')] });
    expect(dataset.requests.ids).toEqual(['o']);
    expect(dataset.corpus.size).toBe(3);
  });

  it('takes no file of a kind that the format does not have', async () => {
    const folder = writeTemporaryFiles({
      ...sample('tatqa').files,
      'requests.jsonl': '{"id":"q","text":"t","gold":["T"]}',
    });
    const options = { path: join(folder, 'tatqa_dataset_dev.json'), requests: [join(folder, 'requests.jsonl')] };
    await expect(loadDataset({ ...options, format: 'tatqa' })).rejects.toThrow(
      /requests: got .*no file of requests in the format tatqa/,
    );
    await expect(loadDataset(options)).rejects.toThrow(/none of the known forms/);
  });

  it('takes no file of requests for one of assets', async () => {
    const folder = writeTemporaryFiles({ 'requests.jsonl': '{"id":"q","text":"t","gold":["T"]}' });
    await expect(loadDataset({ path: join(folder, 'requests.jsonl') })).rejects.toThrow(/none of the known forms/);
  });

  it('asks for the split where there are several', async () => {
    const { files } = sample('beir');
    const folder = writeTemporaryFiles({ ...files, 'qrels/train.tsv': 'query-id\tcorpus-id\tscore\ntrain\td1\t1\n' });
    await expect(loadDataset({ path: folder })).rejects.toThrow(
      /split: got nothing, expected one of the splits there: test, train/,
    );
    await expect(loadDataset({ path: folder, split: 'dev' })).rejects.toThrow(/split: got "dev"/);
    expect((await loadDataset({ path: folder, split: 'train' })).requests.ids).toEqual(['train']);
  });

  it('reads one split of requests of dpdisc, or all', async () => {
    const folder = writeTemporaryFiles(sample('dpdisc').files);
    expect((await loadDataset({ path: folder, split: 'dev' })).requests.ids).toEqual(['10']);
    await expect(loadDataset({ path: folder, split: 'test' })).rejects.toThrow(/split: got "test"/);
  });

  it('reads times as the options say', async () => {
    const assets = '{"id":"a","text":"t","eventAt":1700000000,"availableAt":"1700000001"}';
    const folder = writeTemporaryFiles({ 'assets.jsonl': assets });
    const { corpus } = await loadDataset({ path: folder, instants: { epoch: 's' } });
    expect([corpus.eventAt[0], corpus.availableAt[0]]).toEqual([1_700_000_000_000, 1_700_000_001_000]);
    await expect(loadDataset({ path: folder })).rejects.toThrow(
      /assets\.jsonl:1: eventAt: got 1700000000, expected an epoch unit.*2023-11-14T22:13:20Z/,
    );
  });
});
