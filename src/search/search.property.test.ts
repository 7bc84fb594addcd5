import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildCorpus } from '../corpus/corpus.js';
import { decodeFloat16, encodeFloat16 } from '../embedding/float16.js';
import { english } from '../retrieval/analysis/english.js';
import { namesOf } from '../retrieval/analysis/names.js';
import { Bm25Retriever } from '../retrieval/bm25/Bm25Retriever.js';
import { IndexSnapshot } from '../retrieval/bm25/IndexSnapshot.js';
import { buildInvertedIndex } from '../retrieval/bm25/InvertedIndexBuilder.js';
import { plainSearch } from '../retrieval/dense/plainSearch.js';
import { rankFreshness } from '../retrieval/freshness/rankFreshness.js';
import { termCandidates } from '../retrieval/freshness/termCandidates.js';
import { type RankedBlock, rankedRows, rankedScores } from '../retrieval/ranking.js';
import { ModelLog } from '../store/workspace/testing/modelLog.js';
import type { SearchAnswer } from './answer.js';
import { carriers } from './carryVectors.js';
import type { SearchableWorkspace } from './SearchableWorkspace.js';
import type { SearchOptions } from './settings.js';
import { searchableForTest } from './testing/searchableForTest.js';
import { WordEmbedder } from './testing/WordEmbedder.js';

const words = ['the', 'cat', 'dog', 'Catdog', 'fox', 'owls', 'yak7', 'yak', '7', 'Ibis', 'okapi'];
const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((terms) => terms.join(' '));
const instant = fc.integer({ min: 1, max: 9 });
const record = fc.record(
  { id: fc.constantFrom(...'abcdefghij'), text, availableAt: instant, eventAt: instant, withdrawnAt: instant },
  { requiredKeys: ['id', 'text', 'availableAt', 'eventAt'] },
);
const history = fc.array(fc.array(record, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 });
const instants = [0, 1, 3, 4, 6, 8, 9, 20];

const everyMode: readonly SearchOptions[] = [
  { mode: 'fresh' },
  { mode: 'lexical' },
  { mode: 'semantic' },
  { mode: 'hybrid' },
  { mode: 'hybrid', fusion: 'rrf' },
  { mode: 'semantic', freshness: { method: 'fused', halfLife: 3 } },
  { mode: 'lexical', freshness: { halfLife: 'adaptive' } },
  { mode: 'semantic', freshness: { method: 'semantic-then-newest' }, pool: 3 },
  { mode: 'hybrid', from: 2, to: 6 },
  { mode: 'fresh', from: 2, to: 6 },
];

async function answers(workspace: SearchableWorkspace, query: string): Promise<SearchAnswer[]> {
  const all: SearchAnswer[] = [];
  for (const asOf of instants) {
    for (const options of everyMode) all.push(await workspace.search(query, { ...options, asOf }));
  }
  return all;
}

const listOf = ({ hits }: SearchAnswer) => hits.map(({ id, score }) => [id, score]);
const scratchList = (block: RankedBlock, ids: readonly string[]) =>
  [...rankedRows(block, 0)].map((row, at) => [ids[row]!, rankedScores(block, 0)[at]]);

it('finds as of any t what indexes made of the documents of D_t alone find, and merging changes no answer', async () => {
  const embedder = new WordEmbedder();
  const check = async (
    files: readonly (readonly { id: string; text: string; availableAt: number }[])[],
    query: string,
  ) => {
    const { workspace, ingest } = await searchableForTest(embedder);
    const model = new ModelLog();
    // The model's texts carry the event time, which is part of what a version says.
    for (const file of files) {
      await ingest(file);
      model.ingest(
        file.map((item) => ({ ...item, text: JSON.stringify([item.text, (item as { eventAt?: number }).eventAt]) })),
      );
    }
    for (const asOf of instants) {
      const assets = [...model.currentAsOf(asOf)].map(([id, said]) => ({
        id,
        type: 'text',
        text: JSON.parse(said)[0] as string,
        eventAt: JSON.parse(said)[1] as number,
      }));
      const { texts, ids, idOrder, eventAt, size } = buildCorpus(assets);
      const index = buildInvertedIndex(texts, english);
      const lexical = await workspace.search(query, { asOf, mode: 'lexical', limit: 5 });
      expect(lexical.documents).toBe(size);
      expect(listOf(lexical)).toEqual(
        scratchList(new Bm25Retriever(new IndexSnapshot(index), idOrder).rankBlock([query], 5), ids),
      );
      const names = buildInvertedIndex(texts, namesOf(english));
      const source = { snapshot: new IndexSnapshot(index), names: new IndexSnapshot(names), eventAt, idOrder };
      const ranking = rankFreshness(termCandidates(source, query, asOf), { depth: 5 });
      expect(listOf(await workspace.search(query, { asOf, limit: 5 }))).toEqual(
        [...ranking.rows].map((row, at) => [ids[row]!, ranking.scores[at]]),
      );
      const { vectors, present } = await embedder.embed(texts);
      const halves = new Uint16Array(vectors.length);
      encodeFloat16(vectors, halves);
      decodeFloat16(halves, vectors);
      const rows = { matrix: vectors, dimension: embedder.dimension, present, idOrder };
      const semantic = await workspace.search(query, { asOf, mode: 'semantic', limit: 5 });
      const expected = plainSearch(rows, (await embedder.embed([query])).vectors, { depth: 5 });
      expect(listOf(semantic)).toEqual(scratchList(expected, ids));
    }
    const before = await answers(workspace, query);
    await workspace.storage.compact({ limit: 1, carriers });
    // Once with indexes built in memory, once with those in files.
    expect(await answers(workspace, query)).toEqual(before);
    const { embedded } = await workspace.index();
    expect(embedded).toBe(0);
    expect(await answers(workspace, query)).toEqual(before);
    await workspace.storage.verify();
  };
  await fc.assert(fc.asyncProperty(history, text, check), { numRuns: 5 });
}, 120_000);
