import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NonFiniteScoreError } from '../errors/NonFiniteScoreError.js';
import { compareRanked, TopSelector } from './ranking.js';

function selectTop(scores: readonly number[], ties: readonly number[], capacity: number, order: readonly number[]) {
  const selector = new TopSelector(capacity);
  for (const item of order) selector.push(item, scores[item]!, ties[item]!);
  const items = new Uint32Array(capacity);
  const kept = new Float64Array(capacity);
  const count = selector.drain(items, kept);
  return Array.from(items.subarray(0, count));
}

describe('TopSelector', () => {
  it('equals a full sort by the comparator, cut off, whatever the order of pushes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }),
        fc.integer({ min: 0, max: 20 }),
        fc.infiniteStream(fc.nat()),
        (scores, capacity, shuffleKeys) => {
          const items = [...scores.keys()];
          const ties = items.map((item) => (item * 7919) % 104729);
          const keys = items.map(() => shuffleKeys.next().value as number);
          const pushed = [...items].sort((a, b) => keys[a]! - keys[b]!);
          const sorted = [...items].sort((a, b) => compareRanked(scores[a]!, ties[a]!, scores[b]!, ties[b]!));
          expect(selectTop(scores, ties, capacity, pushed)).toEqual(sorted.slice(0, capacity));
        },
      ),
    );
  });

  it('orders equal scores by the tie key, on every run (case 21)', () => {
    expect(selectTop([1, 1, 1, 2], [30, 10, 20, 40], 3, [0, 1, 2, 3])).toEqual([3, 1, 2]);
  });

  it('refuses a score that is not finite, even one that would not be kept', () => {
    const selector = new TopSelector(1);
    selector.push(4, 1, 0);
    for (const score of [Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]) {
      expect(() => selector.push(5, score, 1)).toThrow(NonFiniteScoreError);
    }
  });
});
