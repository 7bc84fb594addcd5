import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { RandomSource } from '../random/RandomSource.js';
import { openWorkspace } from './SearchableWorkspace.js';
import { searchableForTest, type TestRecord } from './testing/searchableForTest.js';
import { WordEmbedder } from './testing/WordEmbedder.js';

// Every change of a workspace is flushed to disk.
vi.setConfig({ testTimeout: 60_000 });

const random = new RandomSource(3, 'approximate-test');
const words = Array.from({ length: 300 }, (_, n) => `word${n}`);
const someWords = (count: number) => Array.from({ length: count }, () => words[random.below(words.length)]).join(' ');
const records = (count: number, prefix: string, start: number): TestRecord[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${prefix}${n}`, text: someWords(6), availableAt: start + n }));

describe('approximate search', () => {
  it('finds nearly all of the nearest, with their exact scores, and all of the open block', async () => {
    const embedder = new WordEmbedder(32);
    const { workspace, ingest } = await searchableForTest(embedder, { blockRows: 256 });
    await ingest(records(1_000, 'a', 0));
    await ingest(records(300, 'late', 100));
    await ingest([{ id: 'a5', text: 'gone', availableAt: 2_000 }]);
    let found = 0;
    let wanted = 0;
    for (let trial = 0; trial < 20; trial++) {
      const query = someWords(4);
      const asOf = [150, 255, 700, 1_500, 3_000][trial % 5]!;
      const exact = await workspace.search(query, { asOf, mode: 'semantic' });
      const near = await workspace.search(query, { asOf, mode: 'semantic', approximate: true });
      const scores = new Map(exact.hits.map(({ id, score }) => [id, score]));
      wanted += exact.hits.length;
      for (const { id, score, availableAt } of near.hits) {
        expect(availableAt).toBeLessThanOrEqual(asOf);
        if (scores.has(id)) found++;
        expect(scores.get(id) ?? score).toBe(score);
      }
      if (asOf < 255) expect(near.hits).toEqual(exact.hits);
    }
    expect(found / wanted).toBeGreaterThanOrEqual(0.98);
  });

  it('keeps graphs in files, and makes anew what is damaged', async () => {
    const embedder = new WordEmbedder();
    const { workspace, ingest } = await searchableForTest(embedder, { blockRows: 64 });
    await ingest(records(130, 'a', 0));
    const ask = { asOf: 500, mode: 'hybrid', approximate: true } as const;
    const answer = await workspace.search('word1 word2', ask);
    const folder = path.join(workspace.folder, 'approximate');
    const files = readdirSync(folder).sort();
    expect(files.map((name) => path.extname(name))).toEqual(['.usearch', '.sha256', '.usearch', '.sha256']);
    writeFileSync(path.join(folder, files[0]!), 'damaged');
    const again = await openWorkspace(workspace.folder, { readOnly: true, embedder, blockRows: 64 });
    expect(await again.search('word1 word2', ask)).toEqual(answer);
    expect(readdirSync(folder).sort()).toEqual(files);
    await again.close();
  });

  it('leaves out what a filter excludes, however near, and answers an empty query with nothing', async () => {
    const { workspace, ingest } = await searchableForTest(new WordEmbedder(), { blockRows: 64 });
    const near = Array.from({ length: 100 }, (_, n) => ({ id: `n${n}`, text: 'cat', availableAt: n, eventAt: 1 }));
    const far = Array.from({ length: 92 }, (_, n) => ({ id: `f${n}`, text: 'dog', availableAt: 100 + n, eventAt: 9 }));
    await ingest([...near, ...far]);
    const options = { asOf: 500, mode: 'semantic', approximate: true } as const;
    const { hits } = await workspace.search('cat', { ...options, from: 5 });
    expect(hits.map(({ eventAt }) => eventAt)).toEqual(new Array(10).fill(9));
    expect((await workspace.search('', options)).hits).toEqual([]);
    await expect(workspace.search('cat', { asOf: 5, mode: 'lexical', approximate: true })).rejects.toThrow(
      /approximate/,
    );
  });
});
