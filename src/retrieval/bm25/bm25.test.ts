import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { RandomSource } from '../../random/RandomSource.js';
import { english } from '../analysis/english.js';
import { whitespace } from '../analysis/whitespace.js';
import { CandidatePool } from '../CandidatePool.js';
import { rankedRows, rankedScores } from '../ranking.js';
import { type PlainList, plainBm25 } from '../testing/plainBm25.js';
import { describeRetriever } from '../testing/retrieverContract.js';
import { Bm25Retriever } from './Bm25Retriever.js';
import { IndexSnapshot } from './IndexSnapshot.js';
import type { InvertedIndex } from './InvertedIndex.js';
import { buildInvertedIndex } from './InvertedIndexBuilder.js';
import { MaxScoreRanker } from './MaxScoreRanker.js';
import { type Bm25Parameters, defaultBm25Parameters } from './parameters.js';

const identity = (size: number) => Uint32Array.from({ length: size }, (_, row) => row);

function retrieverOver(texts: readonly string[], parameters: Partial<Bm25Parameters> = {}): Bm25Retriever {
  const index = buildInvertedIndex(texts, whitespace);
  return new Bm25Retriever(new IndexSnapshot(index), identity(texts.length), parameters);
}

function listOf(retriever: Bm25Retriever, query: string, depth = 200): PlainList {
  const block = retriever.rankBlock([query], depth);
  return { rows: [...rankedRows(block, 0)], scores: [...rankedScores(block, 0)] };
}

/** The ranking of `Bm25Retriever`, but over blocks of a few rows, so that a small corpus has many. */
function rankInBlocks(
  snapshot: IndexSnapshot,
  idOrder: Uint32Array,
  queries: readonly string[][],
  depth: number,
  parameters: Bm25Parameters,
  blockRows: number,
): PlainList[] {
  const ranker = new MaxScoreRanker(snapshot, parameters, { blockRows });
  const pool = new CandidatePool(depth);
  return queries.map((query) => {
    ranker.rank(query, pool);
    const rows = new Uint32Array(depth);
    const scores = new Float64Array(depth);
    const count = pool.drain(idOrder, rows, scores);
    return { rows: [...rows.subarray(0, count)], scores: [...scores.subarray(0, count)] };
  });
}

const words = ['the', 'of', 'in', 'a', 'cat', 'dog', 'fox', 'owl', 'yak', 'emu', 'ibis', 'okapi'];
/** Words drawn with a skew like that of language: the first in most documents, the last in few. */
const word = fc.integer({ min: 0, max: 99 }).map((draw) => words[Math.floor((draw / 100) ** 3 * words.length)]!);
const document = fc.array(word, { maxLength: 60 });
const query = fc.array(fc.oneof(word, fc.constantFrom(...words, 'unknown')), { maxLength: 10 });

describeRetriever('Bm25Retriever', {
  build: () => retrieverOver(['cat dog', 'cat', 'dog dog cat the', '', 'the', 'cat dog', 'owl the the']),
  snapshotSize: 7,
  idOrder: identity(7),
  queries: ['cat', 'the dog', 'owl cat cat'],
  unmatched: 'unknown words',
});

describe('BM25', () => {
  it('equals a plain scorer written from the formula, bit for bit, on any prefix with any rows dead', () => {
    fc.assert(
      fc.property(
        fc.record({
          documents: fc.array(document, { minLength: 1, maxLength: 40 }),
          queries: fc.array(query, { maxLength: 3 }),
          prefix: fc.double({ min: 0, max: 1, noNaN: true }),
          deadDraws: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 40, maxLength: 40 }),
          depth: fc.integer({ min: 1, max: 12 }),
          k1: fc.constantFrom(0, 0.9, 1.5),
          b: fc.constantFrom(0, 0.4, 0.75, 1),
          lengths: fc.constantFrom('exact' as const, 'lucene' as const),
          blockRows: fc.integer({ min: 1, max: 9 }),
          seed: fc.nat(),
        }),
        ({ documents, queries, prefix, deadDraws, depth, k1, b, lengths, blockRows, seed }) => {
          const index = buildInvertedIndex(
            documents.map((terms) => terms.join(' ')),
            whitespace,
          );
          const size = Math.round(prefix * documents.length);
          const dead = Uint8Array.from(deadDraws, (draw) => (draw === 0 ? 1 : 0));
          const idOrder = new RandomSource(seed, 'test/id-order').shuffle(identity(documents.length));
          const live = new Map(documents.slice(0, size).entries());
          for (const row of live.keys()) if (dead[row] === 1) live.delete(row);
          const parameters = { k1, b, lengths };
          const snapshot = new IndexSnapshot(index, size, { dead });
          const ranked = rankInBlocks(snapshot, idOrder, queries, depth, parameters, blockRows);
          expect(ranked).toEqual(
            queries.map((terms) => plainBm25({ documents: live, idOrder }, terms, depth, parameters)),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('prunes without changing a list when rows fill many blocks of the usual size', () => {
    const random = new RandomSource(7, 'test/many-blocks');
    const draw = () => words[Math.floor(random.unit() ** 3 * words.length)]!;
    const documents = Array.from({ length: 9_000 }, (_, row) =>
      Array.from({ length: random.below(row % 100 === 0 ? 900 : 9) }, draw),
    );
    const idOrder = random.shuffle(identity(documents.length));
    const index = buildInvertedIndex(
      documents.map((terms) => terms.join(' ')),
      whitespace,
    );
    for (const size of [9_000, 5_000, 100]) {
      const collection = { documents: new Map(documents.slice(0, size).entries()), idOrder };
      const retriever = new Bm25Retriever(new IndexSnapshot(index, size), idOrder);
      for (const text of ['the of okapi', 'the', 'okapi', 'the the of in a cat yak emu', 'ibis a unknown a']) {
        const expected = plainBm25(collection, text.split(' '), 50, defaultBm25Parameters);
        expect(listOf(retriever, text, 50)).toEqual(expected);
      }
    }
  });

  it('counts a frequent term exactly beyond the cap of its frequency array', () => {
    const texts = ['rare the', ...[254, 255, 256, 700].map((count) => `rare${' the'.repeat(count)}`), 'rare'];
    const documents = new Map(texts.map((text, row) => [row, text.split(' ')]));
    const collection = { documents, idOrder: identity(texts.length) };
    const index = buildInvertedIndex(texts, whitespace);
    const queries = [['rare', 'the']];
    // Depth 1 in blocks of one row: `the` becomes optional, so that later rows look it up.
    const ranked = rankInBlocks(new IndexSnapshot(index), collection.idOrder, queries, 1, defaultBm25Parameters, 1);
    expect(ranked).toEqual([plainBm25(collection, queries[0]!, 1, defaultBm25Parameters)]);
  });

  it('adds an optional list whose frequencies are not kept by row', () => {
    // `mid` is in 5 of 24 documents, too few for that; once row 0 is ranked, it cannot bring a row in without `rare`.
    const texts = ['rare', ...Array.from({ length: 22 }, (_, row) => (row % 6 === 0 ? 'mid' : 'else')), 'rare mid'];
    const collection = {
      documents: new Map(texts.map((text, row) => [row, text.split(' ')])),
      idOrder: identity(texts.length),
    };
    const query = ['rare', 'rare', 'rare', 'rare', 'rare', 'rare', 'mid'];
    const snapshot = new IndexSnapshot(buildInvertedIndex(texts, whitespace));
    const ranked = rankInBlocks(snapshot, collection.idOrder, [query], 1, { ...defaultBm25Parameters, b: 0 }, 1);
    const expected = plainBm25(collection, query, 1, { ...defaultBm25Parameters, b: 0 });
    expect(expected.rows).toEqual([23]);
    expect(ranked).toEqual([expected]);
  });

  it('gives the textbook score', () => {
    // N = 2, df = 1, length 3 = average 3: idf ln 2, K = k1.
    expect(listOf(retrieverOver(['x y z', 'u v w']), 'x').scores[0]).toBeCloseTo(Math.log(2) / 2.5, 15);
  });

  it('counts a query term as often as the query holds it', () => {
    const retriever = retrieverOver(['x y', 'y z']);
    expect(listOf(retriever, 'x x').scores[0]).toBe(2 * listOf(retriever, 'x').scores[0]!);
  });

  it('adds something above 0 for a term in half of the documents, and for one in all (case 25)', () => {
    const { rows, scores } = listOf(retrieverOver(['all half', 'all half', 'all', 'all']), 'all half');
    expect(rows).toEqual([0, 1, 2, 3]);
    for (const score of scores) expect(score).toBeGreaterThan(0);
    expect(scores[0]).toBeGreaterThan(scores[2]!);
  });

  it('gives an empty list for stop words, unknown words and no words (case 23)', () => {
    const index = buildInvertedIndex(['the cat'], english);
    const block = new Bm25Retriever(new IndexSnapshot(index), identity(1)).rankBlock(['the of', 'dog', '', '...']);
    expect([...block.lengths]).toEqual([0, 0, 0, 0]);
  });

  it('never ranks an empty document, but counts it in N and in the average length (case 28)', () => {
    const snapshot = new IndexSnapshot(buildInvertedIndex(['cat', '', 'cat dog dog', ''], whitespace));
    expect([snapshot.documentCount, snapshot.averageLength]).toEqual([4, 1]);
    expect(listOf(retrieverOver(['', 'cat', '']), 'cat').rows).toEqual([1]);
    expect(listOf(retrieverOver(['', '']), 'cat').rows).toEqual([]);
  });

  it('orders equal scores by asset id, not by row (case 21)', () => {
    const index = buildInvertedIndex(['cat', 'cat', 'cat'], whitespace);
    const retriever = new Bm25Retriever(new IndexSnapshot(index), Uint32Array.of(2, 0, 1));
    expect(listOf(retriever, 'cat').rows).toEqual([1, 2, 0]);
    expect(listOf(retriever, 'cat', 2).rows).toEqual([1, 2]);
  });

  it('rounds lengths as Lucene does in `lucene` mode only', () => {
    const longText = (length: number) => `cat${' dog'.repeat(length - 1)}`;
    const scores = (lengths: 'exact' | 'lucene') =>
      listOf(retrieverOver([longText(44), longText(45), longText(46), 'emu'], { lengths }), 'cat').scores;
    expect(new Set(scores('exact')).size).toBe(3);
    expect(new Set(scores('lucene')).size).toBe(2);
  });

  it.each([
    [{ k1: -1 }, 'k1'],
    [{ k1: Number.NaN }, 'k1'],
    [{ k1: Number.POSITIVE_INFINITY }, 'k1'],
    [{ b: 1.01 }, 'b'],
    [{ b: Number.NaN }, 'b'],
    [{ lengths: 'long' as 'exact' }, 'lengths'],
  ])('refuses parameters %j', (parameters, argument) => {
    expect(() => retrieverOver(['cat'], parameters)).toThrow(InvalidArgumentError);
    expect(() => retrieverOver(['cat'], parameters)).toThrow(new RegExp(`^${argument}: got`));
  });

  it('refuses tie-breakers that do not cover the snapshot', () => {
    const snapshot = new IndexSnapshot(buildInvertedIndex(['cat', 'dog'], whitespace));
    expect(() => new Bm25Retriever(snapshot, identity(1))).toThrow('one entry for each of 2 rows');
  });
});

describe('the hash of a BM25 retriever', () => {
  const hashOf = (index: InvertedIndex, size: number, dead?: Uint8Array, parameters: Partial<Bm25Parameters> = {}) =>
    new Bm25Retriever(new IndexSnapshot(index, size, dead && { dead }), identity(index.size), parameters).hash;
  const texts = ['cat dog', 'dog', 'emu'];
  const base = hashOf(buildInvertedIndex(texts, whitespace), 3);

  it('is that of the prefix: later rows do not change it (case 6)', () => {
    const grown = buildInvertedIndex([...texts, 'cat owl', 'yak'], whitespace);
    expect(hashOf(grown, 3)).toBe(base);
    expect(hashOf(grown, 4)).not.toBe(base);
  });

  it('changes with any row, the analyzer, a parameter or what is dead', () => {
    const index = buildInvertedIndex(texts, whitespace);
    const others = [
      hashOf(index, 2),
      hashOf(index, 3, Uint8Array.of(0, 1, 0)),
      hashOf(index, 3, Uint8Array.of(1, 0, 0)),
      hashOf(index, 3, undefined, { k1: 1.2 }),
      hashOf(index, 3, undefined, { lengths: 'lucene' }),
      hashOf(buildInvertedIndex(texts, english), 3),
      hashOf(buildInvertedIndex(['cat dog dog', 'dog', 'emu'], whitespace), 3),
      hashOf(buildInvertedIndex(['cat owl', 'owl', 'emu'], whitespace), 3),
      hashOf(buildInvertedIndex(['dog', 'cat dog', 'emu'], whitespace), 3),
    ];
    expect(new Set([base, ...others]).size).toBe(others.length + 1);
  });

  it('does not tell a mask that hides nothing from no mask', () => {
    expect(hashOf(buildInvertedIndex(texts, whitespace), 3, new Uint8Array(3))).toBe(base);
  });
});
