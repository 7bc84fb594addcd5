import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Dataset, loadDataset } from '../src/corpus/dataset.js';
import { plain, tokenizeAscii, tokenizeUnicode } from '../src/retrieval/analysis/plain.js';
import { Bm25Retriever } from '../src/retrieval/bm25/Bm25Retriever.js';
import { inverseDocumentFrequency, lengthNorm, saturation } from '../src/retrieval/bm25/formula.js';
import { IndexSnapshot } from '../src/retrieval/bm25/IndexSnapshot.js';
import type { InvertedIndex } from '../src/retrieval/bm25/InvertedIndex.js';
import { buildInvertedIndex } from '../src/retrieval/bm25/InvertedIndexBuilder.js';
import { queryTerms } from '../src/retrieval/bm25/queryTerms.js';
import { compareRanked, rankedRows, rankedScores } from '../src/retrieval/ranking.js';

const data = fileURLToPath(new URL('../../shared/data/', import.meta.url));
const present = existsSync(data);
if (!present) console.log(`note: ${data} is absent; tests on real data are skipped`);

/** What of wink-bm25-text-search the test uses; the package has no types. */
interface WinkEngine {
  defineConfig(config: object): void;
  definePrepTasks(tasks: ((text: string) => unknown)[]): void;
  addDoc(document: object, id: string): void;
  consolidate(decimals: number): void;
  search(text: string, limit: number): [id: string, score: number][];
}

describe.runIf(present)('BM25 on TAT-QA', () => {
  let dataset: Dataset;
  beforeAll(async () => {
    dataset = await loadDataset({ path: `${data}tatqa`, format: 'asof' });
  });

  it('gives the ten best of wink-bm25-text-search, whose scores are k1 + 1 times as high', () => {
    const { corpus, requests } = dataset;
    const k1 = 1.5;
    const wink = (createRequire(import.meta.url)('wink-bm25-text-search') as () => WinkEngine)();
    wink.defineConfig({ fldWeights: { text: 1 }, bm25Params: { k1, b: 0.75, k: 1 } });
    wink.definePrepTasks([plain.tokenize]);
    for (const [row, id] of corpus.ids.entries()) wink.addDoc({ text: corpus.texts[row] }, id);
    const decimals = 9;
    wink.consolidate(decimals);

    const retriever = new Bm25Retriever(new IndexSnapshot(buildInvertedIndex(corpus.texts, plain)), corpus.idOrder);
    const depth = 10;
    const queries = requests.texts.filter((_, request) => request % 4 === 0);
    const block = retriever.rankBlock(queries, depth);
    for (const [request, text] of queries.entries()) {
      const rows = rankedRows(block, request);
      const scores = rankedScores(block, request);
      const winkScores = new Map(wink.search(text, corpus.size));
      const winkBest = [...winkScores.values()].slice(0, depth);
      expect(rows.length).toBe(winkBest.length);
      for (const [at, row] of rows.entries()) {
        // wink rounds each addend, and leaves the order of ties open: so compare its score of our row, and by place.
        const scaled = scores[at]! * (k1 + 1);
        expect(scaled).toBeCloseTo(winkScores.get(corpus.ids[row]!)!, decimals - 2);
        expect(scaled).toBeCloseTo(winkBest[at]!, decimals - 2);
      }
    }
  });
});

/** Scores every posting of every query term and sorts all rows: BM25 without pruning, on the same index. */
function rankExhaustively(snapshot: IndexSnapshot, idOrder: Uint32Array, tokens: readonly string[], depth: number) {
  const { index, documentCount, averageLength, size } = snapshot;
  const parameters = { k1: 1.5, b: 0.75, lengths: 'exact' } as const;
  const scores = new Float64Array(size);
  for (const { token, count, documentFrequency } of queryTerms(tokens, snapshot)) {
    const term = index.termNumber(token)!;
    const weight = count * inverseDocumentFrequency(documentCount, documentFrequency);
    for (let posting = index.offsets[term]!; posting < snapshot.postingsEnd(term); posting++) {
      const pair = index.postings[2 * posting + 1]!;
      const norm = lengthNorm(index.pairLengths[pair]!, averageLength, parameters);
      scores[index.postings[2 * posting]!]! += weight * saturation(index.pairFrequencies[pair]!, norm);
    }
  }
  const rows = [...scores.keys()].filter((row) => scores[row]! > 0 && snapshot.dead?.[row] !== 1);
  rows.sort((a, b) => compareRanked(scores[a]!, idOrder[a]!, scores[b]!, idOrder[b]!));
  const best = rows.slice(0, depth);
  return { rows: best, scores: best.map((row) => scores[row]!) };
}

describe.runIf(present)('BM25 on HybridQA', () => {
  let dataset: Dataset;
  let index: InvertedIndex;
  beforeAll(async () => {
    dataset = await loadDataset({ path: `${data}hybridqa` });
    index = buildInvertedIndex(dataset.corpus.texts, plain);
  });

  it.each([
    ['all 56,173 rows', 1, undefined],
    ['half of them', 0.5, undefined],
    ['all but every third', 1, 3],
  ] as const)('prunes over %s without changing a row or a bit of a score', (_name, share, everyDead) => {
    const { corpus, requests } = dataset;
    const dead = Uint8Array.from(corpus.ids, (_, row) => (everyDead !== undefined && row % everyDead === 0 ? 1 : 0));
    const snapshot = new IndexSnapshot(index, Math.floor(corpus.size * share), { dead });
    const queries = requests.texts.filter((_, request) => request % 80 === 0);
    const depth = 200;
    const block = new Bm25Retriever(snapshot, corpus.idOrder).rankBlock(queries, depth);
    for (const [query, text] of queries.entries()) {
      const expected = rankExhaustively(snapshot, corpus.idOrder, plain.tokenize(text), depth);
      expect([...rankedRows(block, query)]).toEqual(expected.rows);
      expect([...rankedScores(block, query)]).toEqual(expected.scores);
    }
  });

  it('reads every text alike on the ASCII and the Unicode path of `plain`', () => {
    const ascii = dataset.corpus.texts.filter((text) => /^\p{ASCII}*$/u.test(text));
    expect(ascii.length).toBeGreaterThan(30_000);
    const differing = ascii.filter((text) => tokenizeAscii(text).join(' ') !== tokenizeUnicode(text).join(' '));
    expect(differing).toEqual([]);
  });
});
