import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { newRankedBlock, type RankedBlock, rankedRows, rankedScores } from '../ranking.js';
import { convexFusion } from './convexFusion.js';
import { reciprocalRankFusion } from './reciprocalRankFusion.js';

type Entry = readonly [row: number, score: number];

/** Lists, one a query, best first. */
function block(...lists: Entry[][]): RankedBlock {
  const depth = Math.max(1, ...lists.map((list) => list.length));
  const result = newRankedBlock(lists.length, depth);
  for (const [query, list] of lists.entries()) {
    result.lengths[query] = list.length;
    for (const [i, [row, score]] of list.entries()) {
      result.rows[query * depth + i] = row;
      result.scores[query * depth + i] = score;
    }
  }
  return result;
}

function entries(ranking: RankedBlock, query = 0): Entry[] {
  const scores = rankedScores(ranking, query);
  return Array.from(rankedRows(ranking, query), (row, i) => [row, scores[i]!] as const);
}

const idOrder = Uint32Array.of(5, 4, 3, 2, 1, 0);
const options = { depth: 10, idOrder };

describe('reciprocalRankFusion', () => {
  it('adds 1 / (60 + rank) from each list that has the row, and 0 from one that lacks it (case 22)', () => {
    const lexical = block([
      [0, 9],
      [1, 8],
      [2, 7],
    ]);
    const dense = block([
      [2, 0.9],
      [3, 0.8],
      [0, 0.7],
    ]);
    // 0 and 2 have the same two ranks: 2 comes first by id order.
    expect(entries(reciprocalRankFusion([lexical, dense], options))).toEqual([
      [2, 1 / 63 + 1 / 61],
      [0, 1 / 61 + 1 / 63],
      [3, 1 / 62],
      [1, 1 / 62],
    ]);
  });

  it('counts a row that a list has twice once, at its best rank (case 22)', () => {
    const list = block([
      [1, 9],
      [1, 8],
      [0, 7],
    ]);
    expect(entries(reciprocalRankFusion([list], options))).toEqual([
      [1, 1 / 61],
      [0, 1 / 63],
    ]);
  });

  it('looks at the top 200 of each list, or as deep as it is told', () => {
    const long = Array.from({ length: 300 }, (_, row) => [row, 300 - row] as const);
    const wide = { depth: 300, idOrder: Uint32Array.from({ length: 300 }, (_, row) => row) };
    expect(entries(reciprocalRankFusion([block(long)], wide))).toHaveLength(200);
    expect(entries(reciprocalRankFusion([block(long)], { ...wide, listDepth: 3, constant: 0 }))).toEqual([
      [0, 1],
      [1, 1 / 2],
      [2, 1 / 3],
    ]);
  });

  it('answers a query that no list answers with an empty list, and does not mix queries (cases 23, 28)', () => {
    const fused = reciprocalRankFusion([block([], [[1, 1]], []), block([], [], [[2, 1]])], options);
    expect([0, 1, 2].map((query) => entries(fused, query))).toEqual([[], [[1, 1 / 61]], [[2, 1 / 61]]]);
  });

  it('refuses lists for different queries and a negative constant', () => {
    expect(() => reciprocalRankFusion([block([]), block([], [])], options)).toThrow(InvalidArgumentError);
    expect(() => reciprocalRankFusion([block([])], { ...options, constant: -1 })).toThrow(/constant: got -1/);
  });
});

describe('convexFusion', () => {
  it('adds weighted scores, each list scaled from its least to its greatest', () => {
    const lexical = block([
      [0, 12],
      [1, 8],
      [2, 4],
    ]);
    const dense = block([
      [2, 0.9],
      [3, 0.7],
      [1, 0.5],
    ]);
    expect(entries(convexFusion([lexical, dense], { ...options, weights: [0.25, 0.75] }))).toEqual([
      [2, 0.75],
      [3, expect.closeTo(0.375, 12)],
      [0, 0.25],
      [1, 0.125],
    ]);
  });

  it('gives every entry of a constant list, and the entry of a list of one, the full weight', () => {
    const constant = block([
      [0, 3],
      [1, 3],
    ]);
    const single = block([[1, -0.2]]);
    expect(entries(convexFusion([constant, single], { ...options, weights: [0.5, 0.5] }))).toEqual([
      [1, 1],
      [0, 0.5],
    ]);
    expect(entries(convexFusion([block([]), block([])], { ...options, weights: [0.5, 0.5] }))).toEqual([]);
  });

  it('makes scores within 0 and 1 out of any finite ones', () => {
    const list = fc
      .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 6 })
      .map((scores) => block([...scores].sort((a, b) => b - a).map((score, row) => [row, score] as const)));
    fc.assert(
      fc.property(list, list, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, weight) => {
        for (const [, score] of entries(convexFusion([a, b], { ...options, weights: [weight, 1 - weight] }))) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  it('refuses weights that are too few, negative, NaN or do not add up to 1', () => {
    for (const weights of [[1], [1.5, -0.5], [0.5, 0.6], [Number.NaN, 1]]) {
      expect(() => convexFusion([block([]), block([])], { ...options, weights })).toThrow(InvalidArgumentError);
    }
  });
});

describe('fusion', () => {
  it('does not depend on the order of equal rows in memory: ties go by id order (case 21)', () => {
    const rows = fc.shuffledSubarray([0, 1, 2, 3, 4, 5]);
    fc.assert(
      fc.property(rows, rows, (first, second) => {
        const lists = [first, second].map((list) => block(list.map((row) => [row, 1] as const)));
        const fused = entries(convexFusion(lists, { ...options, weights: [0.5, 0.5] }));
        const both = (row: number) => Number(first.includes(row)) + Number(second.includes(row));
        const expected = [0, 1, 2, 3, 4, 5]
          .filter((row) => both(row) > 0)
          .sort((a, b) => both(b) - both(a) || idOrder[a]! - idOrder[b]!);
        expect(fused.map(([row]) => row)).toEqual(expected);
      }),
    );
  });
});
