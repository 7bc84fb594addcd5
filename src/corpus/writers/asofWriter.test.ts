import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadDataset, loadDatasetRecords } from '../dataset.js';
import { sampleDatasets } from '../readers/testing/sampleDatasets.js';
import { writeTemporaryFiles } from '../testing/temporaryFiles.js';
import { writeAsofDataset } from './asofWriter.js';

describe('writeAsofDataset', () => {
  it.each(sampleDatasets)('writes a $format data set that reads back the same', async ({ format, options, files }) => {
    const folder = writeTemporaryFiles(files);
    const records = await loadDatasetRecords({ path: folder, format, ...options });
    await writeAsofDataset(records, join(folder, 'out'));
    const again = await loadDataset({ path: join(folder, 'out') });
    const { rowOf: _, ...columns } = records.dataset.corpus;
    expect(again.corpus).toEqual(expect.objectContaining(columns));
    expect(again.requests).toEqual(records.dataset.requests);
    expect(again.products).toEqual(records.dataset.products);
  });

  it('leaves nothing behind when it fails half-way', async () => {
    const folder = writeTemporaryFiles({});
    const assets = [{ id: 'a', type: 'text', text: 't' }];
    const requests = [{ id: 'q', text: 't', gold: ['a'], observedAt: Number.NaN }];
    await expect(writeAsofDataset({ assets, requests }, join(folder, 'out'))).rejects.toThrow(/instant: got NaN/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('writes many records over several blocks in order', async () => {
    const folder = writeTemporaryFiles({});
    const assets = Array.from({ length: 3_000 }, (_, index) => ({
      id: String(index).padStart(5, '0'),
      type: 'text',
      text: `number ${index} ${'x'.repeat(100)}`,
    }));
    const [file] = await writeAsofDataset({ assets, requests: [] }, join(folder, 'out'));
    expect(file!.bytes).toBeGreaterThan(300_000);
    const { corpus } = await loadDataset({ path: join(folder, 'out') });
    expect(corpus.texts).toEqual(assets.map((asset) => asset.text));
  });
});
