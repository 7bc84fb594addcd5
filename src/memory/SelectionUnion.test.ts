import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareRanked } from '../retrieval/ranking.js';
import { SelectionUnion } from './SelectionUnion.js';
import type { Selection } from './selection.js';

function selectionOf(entries: readonly (readonly [position: number, similarity: number])[]): Selection {
  const sorted = [...entries].sort((a, b) => compareRanked(a[1], a[0], b[1], b[0]));
  return {
    count: sorted.length,
    positions: Uint32Array.from(sorted, ([position]) => position),
    similarities: Float64Array.from(sorted, ([, similarity]) => similarity),
  };
}

describe('SelectionUnion', () => {
  it('holds every entry once, and gives each selection back in its own order', () => {
    const similarityOf = (position: number) => [0.1, 0.5, 0.9][position % 3]!;
    const selections = fc.array(
      fc
        .uniqueArray(fc.nat({ max: 20 }), { maxLength: 6 })
        .map((positions) => selectionOf(positions.map((position) => [position, similarityOf(position)]))),
      { maxLength: 8 },
    );
    const union = new SelectionUnion(8, 6);
    fc.assert(
      fc.property(selections, (all) => {
        union.unite(all);
        const held = [...union.positions.subarray(0, union.count)];
        expect(new Set(held).size).toBe(union.count);
        for (const [s, selection] of all.entries()) {
          const own = held.flatMap((position, k) =>
            (union.holders[k]! >>> s) & 1 ? [[position, union.similarities[k]!]] : [],
          );
          expect(own).toEqual(Array.from(selection.positions, (position, k) => [position, selection.similarities[k]!]));
        }
      }),
    );
  });

  it('keeps apart what two selections disagree on', () => {
    const union = new SelectionUnion(2, 1);
    union.unite([selectionOf([[4, 0.5]]), selectionOf([[4, 0.25]])]);
    expect(union.count).toBe(2);
    expect([...union.similarities]).toEqual([0.5, 0.25]);
    expect([...union.holders]).toEqual([0b01, 0b10]);
  });
});
