import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { english } from '../analysis/english.js';
import { whitespace } from '../analysis/whitespace.js';
import { IndexSnapshot } from '../bm25/IndexSnapshot.js';
import { buildInvertedIndex } from '../bm25/InvertedIndexBuilder.js';
import { hashedDense } from './hashedDense.js';
import { pairwiseSparseCosine, SparseCosine } from './SparseCosine.js';
import { type TfIdfVectors, tfIdfVectors } from './tfIdfVectors.js';

const word = fc.constantFrom('the', 'cat', 'dog', 'owl', 'yak', 'emu');
const texts = (word: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(
    fc.array(word, { maxLength: 8 }).map((terms) => terms.join(' ')),
    { maxLength },
  );
const corpusTexts = texts(word, 12);
const requestTexts = texts(fc.oneof(word, fc.constantFrom('unknown', 'strange')), 12);

function tfIdfOf(requests: readonly string[], corpus: readonly string[], size = corpus.length): TfIdfVectors {
  return tfIdfVectors(new IndexSnapshot(buildInvertedIndex(corpus, whitespace), size), requests);
}

function matrixOf({ vectors }: TfIdfVectors): number[][] {
  const cosine = new SparseCosine(vectors);
  return Array.from({ length: cosine.size }, (_, request) => {
    const similarities = new Float64Array(cosine.size).fill(Number.NaN);
    cosine.fill(request, similarities);
    return [...similarities];
  });
}

/** The definition, term by term, without lists or numbers: the slow twin. */
function plainCosine(a: string, b: string, corpus: readonly string[]): number {
  const count = (text: string, term: string) => text.split(' ').filter((other) => other === term).length;
  const terms = [...new Set([a, b].join(' ').split(' '))].filter((term) => term !== '').sort();
  let product = 0;
  let normA = 0;
  let normB = 0;
  for (const term of terms) {
    const df = corpus.filter((text) => text.split(' ').includes(term)).length;
    const idf = Math.log(1 + (corpus.length - df + 0.5) / (df + 0.5));
    const [x, y] = [count(a, term) * idf, count(b, term) * idf];
    product += x * y;
    normA += x * x;
    normB += y * y;
  }
  return product === 0 ? 0 : Math.min(1, product / Math.sqrt(normA * normB));
}

describe('TF-IDF similarity of requests', () => {
  it('equals the definition bit for bit, with the idf of the prefix alone', () => {
    fc.assert(
      fc.property(requestTexts, corpusTexts, fc.nat(), (requests, corpus, cut) => {
        const size = cut % (corpus.length + 1);
        const known = corpus.slice(0, size);
        expect(matrixOf(tfIdfOf(requests, corpus, size))).toEqual(
          requests.map((a) => requests.map((b) => plainCosine(a, b, known))),
        );
      }),
    );
  });

  it('equals its pairwise twin bit for bit', () => {
    fc.assert(
      fc.property(requestTexts, corpusTexts, (requests, corpus) => {
        const tfIdf = tfIdfOf(requests, corpus);
        const cosine = pairwiseSparseCosine(tfIdf.vectors);
        expect(requests.map((_, a) => requests.map((_, b) => cosine(a, b)))).toEqual(matrixOf(tfIdf));
      }),
    );
  });

  it('does not depend on the order of the requests, nor on which of two is asked', () => {
    fc.assert(
      fc.property(requestTexts, corpusTexts, (requests, corpus) => {
        const matrix = matrixOf(tfIdfOf(requests, corpus));
        const reversed = matrixOf(tfIdfOf(requests.toReversed(), corpus));
        expect(reversed.toReversed().map((row) => row.toReversed())).toEqual(matrix);
        expect(matrix.map((_, column) => matrix.map((row) => row[column]!))).toEqual(matrix);
      }),
    );
  });

  it('is exactly 1 between equal bags of terms, in [0, 1] between any, and 0 with a text without terms (case 24)', () => {
    fc.assert(
      fc.property(requestTexts, corpusTexts, (requests, corpus) => {
        const bags = requests.map((text) => text.split(' ').sort().join(' '));
        for (const [a, row] of matrixOf(tfIdfOf(requests, corpus)).entries()) {
          for (const [b, similarity] of row.entries()) {
            if (requests[a] === '' || requests[b] === '') expect(similarity).toBe(0);
            else if (bags[a] === bags[b]) expect(similarity).toBe(1);
            expect(similarity).toBeGreaterThanOrEqual(0);
            expect(similarity).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });

  it('counts live documents only', () => {
    const index = buildInvertedIndex(['cat dog', 'cat', 'owl'], whitespace);
    const requests = ['cat owl', 'owl dog'];
    const masked = tfIdfVectors(new IndexSnapshot(index, 3, { dead: Uint8Array.of(0, 1, 0) }), requests);
    expect(matrixOf(masked)).toEqual(matrixOf(tfIdfOf(requests, ['cat dog', 'owl'])));
  });

  it('tells requests apart by words that no document holds', () => {
    const [[, other, same]] = matrixOf(tfIdfOf(['zyzzy the', 'qwert the', 'zyzzy the'], ['the', 'the'])) as [number[]];
    expect(other).toBeLessThan(0.1);
    expect(same).toBe(1);
  });

  it('reads requests with the analyzer of the index', () => {
    const snapshot = new IndexSnapshot(buildInvertedIndex(['running dogs'], english));
    expect(tfIdfVectors(snapshot, ['The dog runs']).terms).toEqual(['dog', 'run']);
  });

  it('refuses an unknown request and an array of another length', () => {
    const cosine = new SparseCosine(tfIdfOf(['cat', 'dog'], ['cat']).vectors);
    for (const request of [-1, 2, 0.5, Number.NaN]) {
      expect(() => cosine.fill(request, new Float64Array(2))).toThrow(InvalidArgumentError);
    }
    expect(() => cosine.fill(0, new Float64Array(3))).toThrow('got "3 entries", expected 2 entries');
  });
});

describe('hashedDense', () => {
  const requests = ['cat dog', 'dog cat', 'owl', '', 'unknown owl'];
  const tfIdf = tfIdfOf(requests, ['cat', 'dog owl']);
  const row = (dense: Float32Array, request: number, dimension: number) =>
    dense.subarray(request * dimension, (request + 1) * dimension);

  it('gives rows of length 1, all 0 where a request has no terms, equal where bags are equal', () => {
    const dense = hashedDense(tfIdf, { seed: 1 });
    expect(dense.length).toBe(requests.length * 512);
    for (const request of requests.keys()) {
      const norm = Math.hypot(...row(dense, request, 512));
      if (requests[request] === '') expect(norm).toBe(0);
      else expect(norm).toBeCloseTo(1, 6);
    }
    expect(row(dense, 0, 512)).toEqual(row(dense, 1, 512));
  });

  it('depends on the seed and the terms alone, not on what other requests there are', () => {
    const dense = hashedDense(tfIdf, { dimension: 64, seed: 1 });
    const fewer = hashedDense(tfIdfOf(['owl', 'cat dog'], ['cat', 'dog owl']), { dimension: 64, seed: 1 });
    expect(row(fewer, 0, 64)).toEqual(row(dense, 2, 64));
    expect(row(fewer, 1, 64)).toEqual(row(dense, 0, 64));
    expect(hashedDense(tfIdf, { dimension: 64, seed: 2 })).not.toEqual(dense);
  });

  it('keeps cosines on average over seeds', () => {
    const pair = tfIdfOf(['cat dog emu', 'cat dog yak yak'], ['cat', 'dog cat', 'owl yak', 'emu']);
    const exact = pairwiseSparseCosine(pair.vectors)(0, 1);
    const seeds = 400;
    let sum = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const dense = hashedDense(pair, { dimension: 64, seed });
      const [a, b] = [row(dense, 0, 64), row(dense, 1, 64)];
      sum += a.reduce((total, value, column) => total + value * b[column]!, 0);
    }
    expect(sum / seeds).toBeCloseTo(exact, 1);
  });

  it.each([
    [{ seed: 0.5 }, 'seed'],
    [{ seed: 1, dimension: 0 }, 'dimension'],
    [{ seed: 1, dimension: 1.5 }, 'dimension'],
  ])('refuses options %j', (options, argument) => {
    expect(() => hashedDense(tfIdf, options)).toThrow(new RegExp(`^${argument}: got`));
  });
});
