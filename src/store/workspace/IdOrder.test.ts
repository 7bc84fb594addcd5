import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { type IdColumn, IdOrder } from './IdOrder.js';

const column = fc.array(fc.constantFrom('a', 'aa', 'b', 'z', '\uffee', '\u{10000}', ''), { maxLength: 6 });

/** The order as a sort of everything gives it. */
function plainOrder(segments: readonly IdColumn[]): string[] {
  return segments.flatMap(({ ids }) => ids).sort(compareCodeUnits);
}

describe('IdOrder', () => {
  it('of a list of segments is the same whatever lists it was made after', () => {
    const columns = fc.array(column, { minLength: 6, maxLength: 6 });
    const lists = fc.array(fc.uniqueArray(fc.nat(5), { maxLength: 6 }), { maxLength: 5 });
    fc.assert(
      fc.property(columns, lists, (ids, steps) => {
        let order = IdOrder.empty;
        for (const chosen of steps) {
          const segments = chosen.sort().map((id) => ({ id, ids: ids[id]! }));
          order = order.next(segments);
          expect(Array.from(order.rows, (row) => order.idOf(row))).toEqual(plainOrder(segments));
          expect(order.rows.map((row) => order.ranks[row]!)).toEqual(order.rows.map((_, rank) => rank));
        }
      }),
    );
  });

  it('finds the rows of an id', () => {
    const order = IdOrder.empty.next([
      { id: 1, ids: ['b', 'a'] },
      { id: 4, ids: ['b', 'c'] },
    ]);
    expect(order.placesOf('b')).toEqual({ start: 1, end: 3 });
    expect(Array.from(order.rows.subarray(1, 3)).sort()).toEqual([0, 2]);
    expect(order.placesOf('bb')).toEqual({ start: 3, end: 3 });
    expect(IdOrder.empty.placesOf('a')).toEqual({ start: 0, end: 0 });
  });
});
