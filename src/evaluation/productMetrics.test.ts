import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { ProductHits } from './productHits.js';
import {
  completeAt,
  coverageAt,
  rankToReach,
  recallAt,
  recallAtCutoffs,
  recallByTypeAtCutoffs,
} from './productMetrics.js';
import { rankedAndProduct } from './testing/lists.js';

const rows = (...values: number[]) => Uint32Array.from(values);
const cutoffs = [1, 3, 10, 20, 50];
const types = Uint16Array.from({ length: 40 }, (_, row) => row % 3);
const shared = new ProductHits();

/** The definitions read out loud, on sets. */
function slowRecall(ranked: Uint32Array, product: readonly number[], cutoff: number): number {
  const top = new Set(ranked.slice(0, cutoff));
  return product.filter((row) => top.has(row)).length / product.length;
}

describe('product metrics', () => {
  it('recall at every cutoff and by type equals the definition on sets, with one tally for all lists', () => {
    fc.assert(
      fc.property(rankedAndProduct, ({ ranked, product }) => {
        const hits = shared.locate(ranked, product);
        const all = recallAtCutoffs(hits, cutoffs, new Float64Array(cutoffs.length));
        const byType = recallByTypeAtCutoffs(hits, product, types, 3, cutoffs, new Float64Array(3 * cutoffs.length));
        for (const [cut, cutoff] of cutoffs.entries()) {
          const expected = slowRecall(ranked, [...product], cutoff);
          expect(all[cut]).toBe(expected);
          expect(recallAt(hits, cutoff)).toBe(expected);
          expect(coverageAt(hits, cutoff)).toBe(expected);
          expect(completeAt(hits, cutoff)).toBe(product.length === 0 ? Number.NaN : expected === 1 ? 1 : 0);
          for (let type = 0; type < 3; type++) {
            const ofType = [...product].filter((row) => types[row] === type);
            expect(byType[type * cutoffs.length + cut]).toBe(slowRecall(ranked, ofType, cutoff));
          }
        }
      }),
    );
  });

  it('rank to reach a share is the shortest prefix with at least that recall', () => {
    fc.assert(
      fc.property(rankedAndProduct, fc.constantFrom(0.1, 0.5, 0.8, 1), ({ ranked, product }, share) => {
        let expected = Number.NaN;
        for (let length = ranked.length; length >= 1; length--) {
          if (slowRecall(ranked, [...product], length) >= share) expected = length;
        }
        expect(rankToReach(shared.locate(ranked, product), share)).toBe(expected);
      }),
    );
  });

  it('type recall is undefined, not 0 or 1, where the product has no asset of the type (case 27)', () => {
    const product = rows(1, 4);
    const hits = shared.locate(rows(4, 9, 1), product);
    const out = recallByTypeAtCutoffs(hits, product, types, 3, [1, 3], new Float64Array(6));
    expect([...out]).toEqual([Number.NaN, Number.NaN, 0.5, 1, Number.NaN, Number.NaN]);
  });

  it('rank to reach is undefined when the list ends first, and the list length is at hand', () => {
    const hits = shared.locate(rows(5, 6, 0, 1, 2), rows(0, 1, 2, 3, 4));
    expect(rankToReach(hits, 0.6)).toBe(5);
    expect(rankToReach(hits, 0.8)).toBeNaN();
    expect(hits.listLength).toBe(5);
  });

  it('rank to reach needs 55 of 100 for a share of 0.55, though 0.55 * 100 rounds above 55', () => {
    expect(Math.ceil(0.55 * 100)).toBe(56);
    const all = Uint32Array.from({ length: 100 }, (_, row) => row);
    expect(rankToReach(shared.locate(all, all), 0.55)).toBe(55);
  });

  it('writes where it is told and nothing else', () => {
    const out = new Float64Array(5).fill(7);
    recallAtCutoffs(shared.locate(rows(3), rows(3)), [1, 2], out, 2);
    expect([...out]).toEqual([7, 7, 1, 1, 7]);
  });

  it('an empty list finds nothing: recall is 0, not NaN (case 23)', () => {
    const hits = shared.locate(rows(), rows(2));
    expect([recallAt(hits, 10), completeAt(hits, 10)]).toEqual([0, 0]);
  });

  it('takes products larger than any before, and smaller ones after', () => {
    const hits = new ProductHits();
    const large = Uint32Array.from({ length: 1000 }, (_, row) => row);
    expect(recallAt(hits.locate(large, large), 500)).toBe(0.5);
    expect(recallAt(hits.locate(rows(1, 2), rows(2)), 1)).toBe(0);
  });

  it('refuses a list that ranks an asset of the product twice, and a product out of order', () => {
    expect(() => shared.locate(rows(1, 2, 1), rows(1))).toThrow('ranked[2]: got 1');
    expect(() => shared.locate(rows(1), rows(2, 2))).toThrow('product[1]: got 2');
    expect(() => shared.locate(rows(1), rows(3, 2))).toThrow(InvalidArgumentError);
  });

  it('refuses cutoffs that are not positive integers in ascending order, and a share outside (0, 1]', () => {
    const hits = shared.locate(rows(1), rows(1));
    for (const bad of [[0], [1.5], [Number.NaN], [10, 10], [20, 10]]) {
      expect(() => recallAtCutoffs(hits, bad, new Float64Array(2))).toThrow(InvalidArgumentError);
    }
    for (const bad of [0, -1, 1.01, Number.NaN]) expect(() => rankToReach(hits, bad)).toThrow('share');
    expect(() => recallAt(hits, 0)).toThrow('cutoff: got 0');
  });
});
