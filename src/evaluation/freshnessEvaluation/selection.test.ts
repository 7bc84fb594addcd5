import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSelections } from './selection.js';

const rows = (...settings: number[][]) => settings.map((values) => Float64Array.from(values));

describe('compareSelections', () => {
  it('hindsight takes the best setting on all queries; pit the best on the queries before each one', () => {
    // Setting 0 is right early, setting 1 late.
    const { hindsight, pit, parameterLeakage } = compareSelections(
      rows([1, 1, 0, 0, 0], [0, 0, 1, 1, 1]),
      [1, 2, 3, 4, 5],
      0,
    );
    expect(hindsight).toEqual({ mean: 3 / 5, chosen: [1, 1, 1, 1, 1] });
    expect(pit).toEqual({ mean: 2 / 5, chosen: [0, 0, 0, 0, 0] });
    expect(parameterLeakage).toBeCloseTo(1 / 5, 15);
  });

  it('no query votes on those of its own instant: known is strictly before', () => {
    const values = rows([0, 0, 0], [1, 1, 1]);
    expect(compareSelections(values, [7, 7, 8], 0).pit.chosen).toEqual([0, 0, 1]);
  });

  it('keeps the default where nothing is known or nothing is better, and else the first of equals', () => {
    expect(compareSelections(rows([1, 0], [1, 0]), [1, 2], 1).pit.chosen).toEqual([1, 1]);
    expect(compareSelections(rows([1, 1], [1, 1], [0, 0]), [1, 2], 2).pit.chosen).toEqual([2, 0]);
  });

  it('passes over queries that do not define the metric', () => {
    const { hindsight, pit } = compareSelections(rows([Number.NaN, 0], [Number.NaN, 1]), [1, 2], 0);
    expect(hindsight.mean).toBe(1);
    expect(pit.mean).toBe(0);
    expect(compareSelections(rows([Number.NaN]), [1], 0).parameterLeakage).toBeNull();
  });

  it('hindsight is never worse than any one setting, and pit does not depend on the order of the queries', () => {
    const query = fc.tuple(
      fc.integer({ min: 0, max: 3 }),
      fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 3, maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(query, { minLength: 1, maxLength: 8 }), (queries) => {
        const values = [0, 1, 2].map((setting) => Float64Array.from(queries, ([, row]) => row[setting]!));
        const asOf = queries.map(([time]) => time);
        const found = compareSelections(values, asOf, 0);
        for (const row of values) {
          expect(found.hindsight.mean).toBeGreaterThanOrEqual(row.reduce((sum, value) => sum + value) / row.length);
        }
        const backwards = compareSelections(
          values.map((row) => row.slice().reverse()),
          [...asOf].reverse(),
          0,
        );
        expect([...backwards.pit.chosen].reverse()).toEqual(found.pit.chosen);
      }),
    );
  });
});
