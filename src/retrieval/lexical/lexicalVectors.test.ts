import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plain } from '../analysis/plain.js';
import { IndexSnapshot } from '../bm25/IndexSnapshot.js';
import { buildInvertedIndex } from '../bm25/InvertedIndexBuilder.js';
import { hashedVectors, lexicalVectors } from './lexicalVectors.js';

const words = ['amber', 'basin', 'cedar', 'delta', 'ember', 'fjord'];
const text = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((list) => list.join(' '));
const texts = fc.array(text, { maxLength: 12 });

function vectorsOf(documents: readonly string[], requests: readonly string[], rows = documents.length) {
  return lexicalVectors(new IndexSnapshot(buildInvertedIndex(documents, plain), rows), requests);
}

/** word -> weight, straight from the formula. */
function weightsSlowly(documents: readonly string[], request: string): Map<string, number> {
  const tokens = plain.tokenize(request);
  const raw = new Map<string, number>();
  for (const word of new Set(tokens)) {
    const df = documents.filter((document) => plain.tokenize(document).includes(word)).length;
    const idf = Math.log(1 + (documents.length - df + 0.5) / (df + 0.5));
    raw.set(word, tokens.filter((token) => token === word).length * idf);
  }
  const norm = Math.sqrt([...raw.values()].reduce((sum, weight) => sum + weight ** 2, 0));
  return new Map(Array.from(raw, ([word, weight]) => [word, weight / norm]));
}

describe('lexicalVectors', () => {
  it('are tf * idf of the snapshot, of unit length, words unknown to it included', () => {
    fc.assert(
      fc.property(texts, texts, (documents, requests) => {
        const { vectors, wordOf } = vectorsOf(documents, requests);
        for (const [request, content] of requests.entries()) {
          const expected = weightsSlowly(documents, content);
          const [start, end] = [vectors.offsets[request]!, vectors.offsets[request + 1]!];
          expect(end - start).toBe(expected.size);
          for (let at = start; at < end; at++) {
            expect(vectors.weights[at]).toBeCloseTo(expected.get(wordOf(vectors.terms[at]!))!, 12);
            if (at > start) expect(vectors.terms[at]).toBeGreaterThan(vectors.terms[at - 1]!);
          }
        }
      }),
    );
  });

  it('of a prefix do not know what comes after it', () => {
    fc.assert(
      fc.property(texts, texts, texts, (documents, later, requests) => {
        const grown = vectorsOf([...documents, ...later], requests, documents.length);
        const alone = vectorsOf(documents, requests);
        const told = ({ vectors, wordOf }: typeof alone) =>
          requests.map((_, request) => {
            const range = [vectors.offsets[request]!, vectors.offsets[request + 1]!] as const;
            const weights = Array.from(vectors.weights.subarray(...range));
            return Array.from(vectors.terms.subarray(...range), (term, i) => [wordOf(term), weights[i]!] as const)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([word, weight]) => `${word} ${weight.toFixed(12)}`);
          });
        expect(told(grown)).toEqual(told(alone));
      }),
    );
  });

  it('of a text without words are empty (case 24)', () => {
    const { vectors } = vectorsOf(['amber'], ['', '...', 'amber']);
    expect([...vectors.offsets]).toEqual([0, 0, 0, 1]);
    expect([...vectors.weights]).toEqual([1]);
  });
});

describe('hashedVectors', () => {
  it('have unit length, or are zero for a text without words', () => {
    const matrix = hashedVectors(vectorsOf(words, ['amber basin', '', 'cedar cedar delta']), 16);
    const norms = [0, 1, 2].map((row) => Math.hypot(...matrix.subarray(row * 16, (row + 1) * 16)));
    expect(norms[0]).toBeCloseTo(1, 6);
    expect(norms[1]).toBe(0);
    expect(norms[2]).toBeCloseTo(1, 6);
  });

  it('keep cosines nearly: what the sparse vectors share, the hashed ones do', () => {
    const requests = ['amber basin cedar', 'amber basin delta', 'ember fjord'];
    const lexical = vectorsOf(words, requests);
    const matrix = hashedVectors(lexical, 512);
    const cosine = (a: number, b: number) => {
      let sum = 0;
      for (let d = 0; d < 512; d++) sum += matrix[a * 512 + d]! * matrix[b * 512 + d]!;
      return sum;
    };
    expect(cosine(0, 1)).toBeCloseTo(2 / 3, 5);
    expect(cosine(0, 2)).toBeCloseTo(0, 5);
  });

  it('put a word at a place that depends on the word alone', () => {
    const one = hashedVectors(vectorsOf(['amber'], ['cedar']), 64);
    const other = hashedVectors(vectorsOf(['delta', 'cedar', 'ember'], ['amber', 'cedar']), 64);
    expect([...other.subarray(64)]).toEqual([...one]);
  });
});
