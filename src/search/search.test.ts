import { describe, expect, it, vi } from 'vitest';
import { millisecondsPerDay as day } from '../time/instant.js';
import { searchableForTest } from './testing/searchableForTest.js';
import { WordEmbedder } from './testing/WordEmbedder.js';

// Every change of a workspace is flushed to disk.
vi.setConfig({ testTimeout: 60_000 });

const ids = ({ hits }: { hits: readonly { id: string }[] }) => hits.map(({ id }) => id);

describe('search as of t', () => {
  it('says so when t is before the first asset, and sees no statistics', async () => {
    const { workspace, ingest } = await searchableForTest();
    const empty = await workspace.search('cat', { asOf: 5 });
    expect(empty).toMatchObject({ documents: 0, hits: [], note: 'no asset was available by 1970-01-01T00:00:00.005Z' });
    await ingest([{ id: 'a', text: 'cat', availableAt: 10 }]);
    for (const mode of ['fresh', 'lexical', 'semantic', 'hybrid'] as const) {
      const answer = await workspace.search('cat', { asOf: 9, mode });
      expect(answer).toMatchObject({
        documents: 0,
        hits: [],
        note: 'no asset was available by 1970-01-01T00:00:00.009Z',
      });
      expect(ids(await workspace.search('cat', { asOf: 10, mode }))).toEqual(['a']);
    }
    expect(await workspace.search('cat', { asOf: 5 })).toEqual(empty);
  });

  it('leaves out what happened by t and became available later (case 5)', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([
      { id: 'a', text: 'cat', eventAt: 1, availableAt: 10 },
      { id: 'b', text: 'cat', eventAt: 1, availableAt: 20 },
    ]);
    expect(ids(await workspace.search('cat', { asOf: 19 }))).toEqual(['a']);
    expect(ids(await workspace.search('cat', { asOf: 20 }))).toEqual(['a', 'b']);
  });

  it('finds the version that was current, and nothing that was withdrawn (cases 7, 8)', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([
      { id: 'a', text: 'cat', availableAt: 10 },
      { id: 'b', text: 'cat', availableAt: 10, withdrawnAt: 30 },
    ]);
    await ingest([{ id: 'a', text: 'dog', availableAt: 20 }]);
    for (const mode of ['fresh', 'lexical', 'hybrid'] as const) {
      expect(ids(await workspace.search('dog', { asOf: 19, mode: mode === 'hybrid' ? 'lexical' : mode }))).toEqual([]);
      expect(ids(await workspace.search('cat', { asOf: 19, mode }))).toEqual(['a', 'b']);
      expect(ids(await workspace.search('dog', { asOf: 20, mode }))[0]).toBe('a');
      expect(ids(await workspace.search('cat', { asOf: 29, mode }))[0]).toBe('b');
      expect(ids(await workspace.search('cat', { asOf: 30, mode }))).not.toContain('b');
    }
    const before = await workspace.search('cat', { asOf: 29 });
    await workspace.withdraw(['a'], { now: 1e6, at: 40, backfill: true });
    expect(await workspace.search('cat', { asOf: 29 })).toEqual(before);
  });

  it('gives the same answer and state for ever, whatever arrives later (case 6)', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([{ id: 'a', text: 'cat dog', availableAt: 10 }]);
    const modes = ['fresh', 'lexical', 'semantic', 'hybrid'] as const;
    const ask = () => Promise.all(modes.map((mode) => workspace.search('cat emu', { asOf: 15, mode })));
    const before = JSON.stringify(await ask());
    await ingest([{ id: 'b', text: 'cat emu', availableAt: 16 }]);
    expect(JSON.stringify(await ask())).toBe(before);
    expect((await workspace.search('cat', { asOf: 16 })).state.corpus.root).not.toBe(
      (await workspace.search('cat', { asOf: 15 })).state.corpus.root,
    );
  });

  it('explains each hit: relevance, rank by it, age, decay, fused score, clocks (case 1)', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([
      { id: 'ahead', text: 'cat', eventAt: 100 * day, availableAt: 1 },
      { id: 'old', text: 'cat cat', eventAt: 76 * day, availableAt: 2 },
    ]);
    const asOf = 90 * day;
    const freshness = { alpha: 0.7, halfLife: 14 * day };
    const { hits, halfLife } = await workspace.search('cat', { asOf, mode: 'semantic', freshness });
    expect(halfLife).toBe(14 * day);
    expect(hits).toHaveLength(2);
    expect(hits[0]).toMatchObject({ id: 'ahead', rank: 1, eventAt: 100 * day, availableAt: 1 });
    expect(hits[0]!.explanation).toMatchObject({ age: 0, decay: 1 });
    expect(hits[1]!.explanation).toMatchObject({ age: 14 * day, decay: 0.5 });
    for (const { score, explanation } of hits) {
      const { relevance, decay, fused, semantic, relevanceRank } = explanation;
      expect(fused).toBe(score);
      expect(fused).toBe(0.7 * relevance + (1 - 0.7) * decay);
      expect(semantic).toEqual({ score: relevance, rank: relevanceRank });
    }
  });

  it('tells the parts of a hybrid relevance, and leaves out a list that lacks the asset', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([
      { id: 'a', text: 'cat', availableAt: 1 },
      { id: 'b', text: 'dog', availableAt: 1 },
    ]);
    const { hits } = await workspace.search('cat', { asOf: 5, mode: 'hybrid' });
    expect(hits[0]).toMatchObject({ id: 'a', score: 1, explanation: { lexical: { rank: 1 }, semantic: { rank: 1 } } });
    expect(hits[1]!.explanation.lexical).toBeUndefined();
    expect(hits[1]!.explanation.semantic?.rank).toBe(2);
  });

  it('filters by event time, the end excluded, with the statistics of D_t as they are', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest(
      [1, 2, 3, 4].map((n) => ({ id: `${n}`, text: `cat ${'dog '.repeat(n)}`, eventAt: n * 10, availableAt: 50 })),
    );
    for (const mode of ['fresh', 'lexical', 'semantic', 'hybrid'] as const) {
      const all = await workspace.search('cat', { asOf: 50, mode });
      const some = await workspace.search('cat', { asOf: 50, mode, from: 20, to: 40 });
      expect(ids(some).sort()).toEqual(['2', '3']);
      if (mode === 'hybrid') continue;
      for (const hit of some.hits) expect(all.hits.find(({ id }) => id === hit.id)!.score).toBe(hit.score);
    }
    const one = await workspace.search('cat', { asOf: 50, from: 20, limit: 1 });
    expect(one.hits).toHaveLength(1);
  });

  it('loses the newest relevant asset in a narrow pool, as the paper describes', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([
      { id: 'old', text: 'cat', eventAt: 1, availableAt: 50 },
      { id: 'older', text: 'cat', eventAt: 0, availableAt: 50 },
      { id: 'new', text: 'cat dog', eventAt: 40, availableAt: 50 },
    ]);
    const search = (pool?: number) =>
      workspace.search('cat', { asOf: 50, mode: 'semantic', freshness: { alpha: 0.1, halfLife: 5 }, pool });
    expect(ids(await search())[0]).toBe('new');
    expect(ids(await search(2))).toEqual(['old', 'older']);
  });

  it('finds nothing for stop words, unknown words and no words (case 23)', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([{ id: 'a', text: 'the cat', availableAt: 1 }]);
    for (const query of ['the of', 'unknown', '']) {
      for (const mode of ['fresh', 'lexical'] as const) {
        const answer = await workspace.search(query, { asOf: 5, mode });
        expect(answer).toMatchObject({ documents: 1, hits: [], note: 'no asset of the snapshot matches' });
      }
    }
    expect((await workspace.search('', { asOf: 5, mode: 'semantic' })).hits).toEqual([]);
  });

  it('never finds an empty text by its vector, but counts it as an asset (case 28)', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([
      { id: 'empty', text: '', availableAt: 1 },
      { id: 'a', text: 'cat', availableAt: 1 },
    ]);
    const answer = await workspace.search('cat', { asOf: 5, mode: 'semantic' });
    expect(answer.documents).toBe(2);
    expect(ids(answer)).toEqual(['a']);
  });

  it.each([
    [{ mode: 'other' as 'fresh' }, /mode: got "other"/],
    [{ limit: 0 }, /limit: got 0/],
    [{ from: 5, to: 5 }, /to: got "1970-01-01T00:00:00.005Z", expected an instant after from \(1970-/],
    [{ from: Number.NaN }, /from: got NaN, expected an instant/],
    [{ pool: 0 }, /pool: got 0/],
    [{ mode: 'semantic' as const, freshness: { alpha: 1.5 } }, /alpha: got 1.5/],
    [{ mode: 'semantic' as const, freshness: { halfLife: 0 } }, /halfLife: got 0/],
    [{ freshness: { method: 'fused' as const } }, /freshness.method: got "fused"/],
    [{ mode: 'hybrid' as const, semanticWeight: 2 }, /semanticWeight: got 2/],
    [{ asOf: Number.NaN }, /asOf: got NaN/],
  ])('refuses %j', async (options, message) => {
    const { workspace } = await searchableForTest();
    await expect(workspace.search('cat', { asOf: 5, ...options })).rejects.toThrow(message);
  });

  it('refuses choices of fusion in a mode that fuses nothing', async () => {
    const { workspace } = await searchableForTest();
    for (const [option, mode] of [
      [{ fusion: 'rrf' }, 'fresh'],
      [{ semanticWeight: 0.2 }, 'lexical'],
      [{ fusion: 'convex' }, 'semantic'],
    ] as const) {
      const search = workspace.search('one', { asOf: 2 * day, mode, ...option });
      await expect(search).rejects.toThrow(`mode hybrid beside it, not ${mode}`);
    }
  });

  it('asks for vectors where the mode needs them and the workspace has none', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([{ id: 'a', text: 'cat', availableAt: 1 }], { embed: false });
    await expect(workspace.search('cat', { asOf: 5, mode: 'hybrid' })).rejects.toThrow(/asof index --embed/);
    expect(ids(await workspace.search('cat', { asOf: 5 }))).toEqual(['a']);
  });
});

describe('the indexes of a workspace', () => {
  it('are made at ingest; vectors are made by the recorded embedder from then on', async () => {
    const embedder = new WordEmbedder();
    const { workspace, ingest } = await searchableForTest(embedder);
    await ingest([{ id: 'a', text: 'cat', availableAt: 1 }], { embed: false });
    expect(await workspace.embedder()).toBeUndefined();
    expect(await workspace.index({ embed: true })).toEqual({ indexed: 0, embedded: 1, empty: 0 });
    expect(await workspace.embedder()).toEqual({ id: 'words', hash: embedder.hash, dimension: 16, spec: null });
    await ingest([{ id: 'b', text: '', availableAt: 2 }], { embed: false });
    expect(embedder.embedded).toBe(2);
    expect(await workspace.index()).toEqual({ indexed: 0, embedded: 0, empty: 0 });
    for (const { derived } of await workspace.storage.segments()) {
      expect([...derived.keys()].sort()).toEqual([
        'bm25.english-1-porter2-2.2',
        'bm25.names-3-english-1-porter2-2.2-',
        'embedder.json',
        'vectors',
      ]);
    }
  });

  it('hold vectors of one embedder only: another one embeds everything anew', async () => {
    const { workspace, ingest } = await searchableForTest();
    await ingest([{ id: 'a', text: 'cat', availableAt: 1 }]);
    const { openWorkspace } = await import('./SearchableWorkspace.js');
    await workspace.storage.close();
    const other = new WordEmbedder(8);
    const again = await openWorkspace(workspace.folder, { embedder: other });
    await expect(again.search('cat', { asOf: 5, mode: 'semantic' })).rejects.toThrow(/embedder: got "words"/);
    expect(await again.index({ embed: true })).toMatchObject({ embedded: 1 });
    expect(ids(await again.search('cat', { asOf: 5, mode: 'semantic' }))).toEqual(['a']);
    await again.close();
  });
});
