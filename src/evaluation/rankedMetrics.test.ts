import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { ProductHits } from './productHits.js';
import { averagePrecision, ndcgAt, precisionAt, reciprocalRank } from './rankedMetrics.js';
import { rankedAndProduct } from './testing/lists.js';

const rows = (...values: number[]) => Uint32Array.from(values);
const hits = new ProductHits();

// Agreement with trec_eval is in trecEval.test.ts; here are the laws and the edges.
describe('ranked metrics', () => {
  it('lie in [0, 1], and a list that starts with the product is perfect', () => {
    fc.assert(
      fc.property(rankedAndProduct, fc.integer({ min: 1, max: 30 }), ({ ranked, product }, cutoff) => {
        fc.pre(product.length > 0);
        const grades = Array.from(product, (row) => 1 + (row % 4));
        hits.locate(ranked, product);
        for (const value of [
          precisionAt(hits, cutoff),
          reciprocalRank(hits),
          averagePrecision(hits),
          ndcgAt(hits, cutoff, grades),
        ]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
        const ideal = Uint32Array.from(product).sort((a, b) => (b % 4) - (a % 4));
        hits.locate(ideal, product);
        expect(ndcgAt(hits, cutoff, grades)).toBeCloseTo(1, 12);
        expect(averagePrecision(hits)).toBe(1);
        expect(reciprocalRank(hits)).toBe(1);
      }),
    );
  });

  it('gain is the grade and discount log2(rank + 1): 3 at rank 2 and 1 at rank 3 of an ideal 3, 1', () => {
    hits.locate(rows(9, 4, 6), rows(4, 6));
    const expected = (3 / Math.log2(3) + 1 / 2) / (3 + 1 / Math.log2(3));
    expect(ndcgAt(hits, 3, [3, 1])).toBeCloseTo(expected, 15);
  });

  it('equal grades, whatever their size, give the binary figure', () => {
    hits.locate(rows(9, 4, 6), rows(2, 4, 6));
    expect(ndcgAt(hits, 3, [5, 5, 5])).toBeCloseTo(ndcgAt(hits, 3), 15);
  });

  it('are undefined for an empty product (case 26) and 0 for an empty list (case 23)', () => {
    const values = () => [precisionAt(hits, 5), reciprocalRank(hits), averagePrecision(hits), ndcgAt(hits, 5)];
    hits.locate(rows(1, 2), rows());
    expect(values()).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    hits.locate(rows(), rows(1, 2));
    expect(values()).toEqual([0, 0, 0, 0]);
  });

  it('refuse grades that do not match the product', () => {
    hits.locate(rows(1, 2), rows(1, 2));
    for (const bad of [[1], [1, 0], [1, -1], [1, Number.NaN], [1, Number.POSITIVE_INFINITY]]) {
      expect(() => ndcgAt(hits, 5, bad)).toThrow(InvalidArgumentError);
    }
  });
});
