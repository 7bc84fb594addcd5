import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { assignOptimally } from './assignOptimally.js';
import { matchClusters, matchingRules } from './matchClusters.js';

const matrices = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([rows, columns]) =>
    fc
      .array(fc.integer({ min: -10, max: 10 }), { minLength: rows * columns, maxLength: rows * columns })
      .map((values) => ({ rows, columns, worth: Float64Array.from(values, (value) => value / 10) })),
  );

/** The largest total over all ways to pair min(rows, columns) rows and columns. */
function largestTotal(worth: Float64Array, rows: number, columns: number): number {
  const best = (row: number, taken: number, left: number): number => {
    if (left === 0) return 0;
    if (row === rows) return Number.NEGATIVE_INFINITY;
    let total = best(row + 1, taken, left);
    for (let column = 0; column < columns; column++) {
      if (taken & (1 << column)) continue;
      total = Math.max(total, worth[row * columns + column]! + best(row + 1, taken | (1 << column), left - 1));
    }
    return total;
  };
  return best(0, 0, Math.min(rows, columns));
}

describe('assignOptimally', () => {
  it('pairs as many as there can be, one to one, with the largest total of all ways', () => {
    fc.assert(
      fc.property(matrices, ({ worth, rows, columns }) => {
        const assigned = assignOptimally(worth, rows, columns);
        const pairs = Array.from(assigned.entries()).filter(([, column]) => column >= 0);
        expect(pairs).toHaveLength(Math.min(rows, columns));
        expect(new Set(pairs.map(([, column]) => column)).size).toBe(pairs.length);
        const total = pairs.reduce((sum, [row, column]) => sum + worth[row * columns + column]!, 0);
        if (pairs.length > 0) expect(total).toBeCloseTo(largestTotal(worth, rows, columns), 9);
      }),
    );
  });
});

describe('matchClusters', () => {
  it('takes the nearest pair first, greedily, where the optimal way finds two', () => {
    const cosines = Float64Array.of(0.9, 0.8, 0.8, 0.1);
    expect(matchClusters(cosines, 2, 2, 'greedy', 0.5)).toEqual([{ before: 0, now: 0, cosine: 0.9 }]);
    expect(matchClusters(cosines, 2, 2, 'optimal', 0.5)).toEqual([
      { before: 1, now: 0, cosine: 0.8 },
      { before: 0, now: 1, cosine: 0.8 },
    ]);
  });

  it('matches one to one at the threshold or above; optimally with a sum of cosines no smaller than greedily', () => {
    const threshold = fc.constantFrom(0, 0.3, 0.5, 1);
    fc.assert(
      fc.property(matrices, threshold, ({ worth, rows, columns }, least) => {
        const [greedy, optimal] = matchingRules.map((rule) => matchClusters(worth, rows, columns, rule, least));
        for (const matches of [greedy!, optimal!]) {
          expect(new Set(matches.map(({ before }) => before)).size).toBe(matches.length);
          expect(new Set(matches.map(({ now }) => now)).size).toBe(matches.length);
          for (const { before, now, cosine } of matches) {
            expect(cosine).toBe(worth[before * columns + now]);
            expect(cosine).toBeGreaterThanOrEqual(least);
          }
        }
        const sum = (matches: typeof greedy) => matches!.reduce((total, { cosine }) => total + cosine, 0);
        expect(sum(optimal)).toBeGreaterThanOrEqual(sum(greedy) - 1e-9);
      }),
    );
  });

  it('prefers the earlier clusters among equals, and matches nothing with nothing', () => {
    expect(matchClusters(Float64Array.of(0.7, 0.7, 0.7, 0.7), 2, 2, 'greedy', 0.5)).toEqual([
      { before: 0, now: 0, cosine: 0.7 },
      { before: 1, now: 1, cosine: 0.7 },
    ]);
    for (const rule of matchingRules) expect(matchClusters(new Float64Array(0), 0, 3, rule, 0.5)).toEqual([]);
  });

  it('refuses a matrix of another shape', () => {
    expect(() => matchClusters(new Float64Array(5), 2, 2, 'greedy', 0.5)).toThrow(InvalidArgumentError);
  });
});
