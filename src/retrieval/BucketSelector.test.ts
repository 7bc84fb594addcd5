import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BucketSelector } from './BucketSelector.js';
import { TopSelector } from './ranking.js';

/** The same choice by the heap. */
function byHeap(scores: Float64Array, depth: number, tieOrder: Uint32Array): { rows: number[]; scores: number[] } {
  const heap = new TopSelector(depth);
  for (const [row, score] of scores.entries()) heap.push(row, score, tieOrder[row]!);
  const rows = new Uint32Array(depth);
  const kept = new Float64Array(depth);
  const count = heap.drain(rows, kept);
  return { rows: [...rows.subarray(0, count)], scores: [...kept.subarray(0, count)] };
}

function byBuckets(selector: BucketSelector, scores: Float64Array, depth: number, largest: number, ties: Uint32Array) {
  const rows = Uint32Array.from(scores, (_, row) => row);
  const into = { rows: new Uint32Array(depth + 3), scores: new Float64Array(depth + 3) };
  const count = selector.select(rows, scores, scores.length, depth, largest, ties, into.rows, into.scores, 3);
  return { rows: [...into.rows.subarray(3, 3 + count)], scores: [...into.scores.subarray(3, 3 + count)] };
}

const score = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  // Many equal scores, and many in one bucket.
  fc.integer({ min: 0, max: 5 }).map((step) => step / 5),
  fc.double({ min: 0.25, max: 0.25001, noNaN: true }),
);

describe('BucketSelector', () => {
  it('chooses what the heap chooses, in the same order, whatever the scores and the depth', () => {
    const selector = new BucketSelector();
    fc.assert(
      fc.property(
        fc.array(score, { maxLength: 300 }),
        fc.integer({ min: 1, max: 320 }),
        fc.nat(),
        (list, depth, turn) => {
          const scores = Float64Array.from(list);
          const ties = Uint32Array.from(list, (_, row) => (row + turn) % Math.max(1, list.length));
          expect(byBuckets(selector, scores, depth, 1, ties)).toEqual(byHeap(scores, depth, ties));
        },
      ),
    );
  });

  it('keeps a score that equals the largest one, for any largest score', () => {
    const selector = new BucketSelector();
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (largest) => {
        const scores = Float64Array.of(largest / 3, largest, 0, largest / 2);
        const ties = Uint32Array.of(0, 1, 2, 3);
        expect(byBuckets(selector, scores, 3, largest, ties)).toEqual(byHeap(scores, 3, ties));
      }),
    );
  });

  it('sorts 20,000 entries that share one bucket without going quadratic, and forgets them afterwards', () => {
    const selector = new BucketSelector();
    const scores = Float64Array.from({ length: 20_000 }, (_, row) => 1e-9 * ((row * 7919) % 20_011));
    const ties = Uint32Array.from(scores, (_, row) => row);
    expect(byBuckets(selector, scores, 200, 1, ties)).toEqual(byHeap(scores, 200, ties));
    const few = Float64Array.of(0.5, 0.75);
    expect(byBuckets(selector, few, 200, 1, ties)).toEqual({ rows: [1, 0], scores: [0.75, 0.5] });
  });

  it('returns nothing for an empty list', () => {
    expect(byBuckets(new BucketSelector(), new Float64Array(0), 5, 0, new Uint32Array(0))).toEqual({
      rows: [],
      scores: [],
    });
  });
});
