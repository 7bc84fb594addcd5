import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import {
  asOfCorrectnessAt,
  expectedLatestAt,
  expectedLatestSetAt,
  latestAt,
  latestSetAt,
  newestRelevant,
  productAsOf,
  type ScoredList,
} from './freshness.js';

const rows = (...values: number[]) => Uint32Array.from(values);
const eventAt = Float64Array.of(10, 50, 50, 40, Number.NaN, 9e15);

describe('newest relevant', () => {
  it('is the latest event; of equal instants the last corpus row, with all that share it listed', () => {
    expect(newestRelevant(rows(0, 1, 2, 3), eventAt, 100)).toEqual({ instant: 50, row: 2, rows: rows(1, 2) });
  });

  it('counts an event after the as-of instant as the instant itself (cases 1 and 2)', () => {
    expect(newestRelevant(rows(1, 5), eventAt, 60)).toEqual({ instant: 60, row: 5, rows: rows(5) });
    expect(newestRelevant(rows(1, 5), eventAt, 50)).toEqual({ instant: 50, row: 5, rows: rows(1, 5) });
  });

  it('ignores assets of unknown event time, and is null when there is no other', () => {
    expect(newestRelevant(rows(0, 4), eventAt, 100)?.row).toBe(0);
    expect(newestRelevant(rows(4), eventAt, 100)).toBeNull();
    expect(newestRelevant(rows(), eventAt, 100)).toBeNull();
  });

  it('looks only at rows of the snapshot: what became available later does not move it (case 5)', () => {
    const product = rows(0, 2, 3, 7);
    expect(productAsOf(product, 3)).toEqual(rows(0, 2));
    expect(productAsOf(product, 0)).toEqual(rows());
    expect(productAsOf(product, 8)).toEqual(product);
  });
});

describe('Latest@k and Latest-Set@k', () => {
  const newest = newestRelevant(rows(1, 2), eventAt, 100);

  it('Latest wants the one newest, Latest-Set any that shares its instant', () => {
    const ranked = rows(9, 1, 8, 2);
    expect([1, 2, 3, 4].map((k) => latestAt(ranked, newest, k))).toEqual([0, 0, 0, 1]);
    expect([1, 2, 3, 4].map((k) => latestSetAt(ranked, newest, k))).toEqual([0, 1, 1, 1]);
  });

  it('are undefined without a newest asset, and 0 for an empty list', () => {
    expect([latestAt(rows(1), null, 5), latestSetAt(rows(1), null, 5)]).toEqual([Number.NaN, Number.NaN]);
    expect([latestAt(rows(), newest, 5), latestSetAt(rows(), newest, 5)]).toEqual([0, 0]);
  });
});

/** All orders of a list that keep its scores descending, by permuting every tie group. */
function* tieOrders(entries: readonly { row: number; score: number }[]): Generator<number[]> {
  if (entries.length === 0) yield [];
  const best = entries[0]?.score;
  for (const [at, entry] of entries.entries()) {
    if (entry.score !== best) break;
    for (const rest of tieOrders(entries.toSpliced(at, 1))) yield [entry.row, ...rest];
  }
}

describe('expected Latest@k under ties', () => {
  const scoredList = fc
    .array(fc.integer({ min: 0, max: 2 }), { maxLength: 6 })
    .map((scores) => scores.sort((a, b) => b - a))
    .chain((scores) =>
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: scores.length, maxLength: scores.length }).map((order) => ({
        rows: Uint32Array.from(order),
        scores: Float64Array.from(scores),
        truncated: false,
      })),
    );
  const newestOf = (...tied: number[]) => ({ instant: 1, row: tied.at(-1)!, rows: rows(...tied) });

  it('equals the mean over every order of the tied entries', () => {
    fc.assert(
      fc.property(scoredList, fc.integer({ min: 1, max: 8 }), (list, cutoff) => {
        const newest = newestOf(0, 3, 4);
        const entries = Array.from(list.rows, (row, at) => ({ row, score: list.scores[at]! }));
        let orders = 0;
        let latest = 0;
        let latestSet = 0;
        for (const order of tieOrders(entries)) {
          orders++;
          latest += latestAt(rows(...order), newest, cutoff);
          latestSet += latestSetAt(rows(...order), newest, cutoff);
        }
        expect(expectedLatestAt(list, newest, cutoff)).toBeCloseTo(latest / orders, 12);
        expect(expectedLatestSetAt(list, newest, cutoff)).toBeCloseTo(latestSet / orders, 12);
      }),
      { numRuns: 300 },
    );
  });

  it('is c/g for one asset and 1 - C(g-m, c)/C(g, c) for m of them: g = 5, c = 2, m = 3', () => {
    const list: ScoredList = {
      rows: rows(9, 1, 2, 3, 4, 5),
      scores: Float64Array.of(2, 1, 1, 1, 1, 1),
      truncated: false,
    };
    expect(expectedLatestAt(list, newestOf(2), 3)).toBeCloseTo(2 / 5, 15);
    expect(expectedLatestSetAt(list, newestOf(1, 3, 5), 3)).toBeCloseTo(1 - 1 / 10, 15);
  });

  it('is unknown, not guessed, when a truncated list may hide the rest of the tie group at the cut', () => {
    const list: ScoredList = { rows: rows(7, 1, 2, 3), scores: Float64Array.of(3, 2, 1, 1), truncated: true };
    expect(expectedLatestAt(list, newestOf(2), 3)).toBeNaN();
    expect(expectedLatestAt(list, newestOf(2), 9)).toBeNaN();
    expect(expectedLatestAt(list, newestOf(1), 3)).toBe(1);
    expect(expectedLatestAt(list, newestOf(1), 1)).toBe(0);
    expect(expectedLatestAt({ ...list, truncated: false }, newestOf(2), 3)).toBe(0.5);
  });

  it('is undefined without a newest asset', () => {
    const list: ScoredList = { rows: rows(1), scores: Float64Array.of(1), truncated: false };
    expect([expectedLatestAt(list, null, 1), expectedLatestSetAt(list, null, 1)]).toEqual([Number.NaN, Number.NaN]);
  });

  it('refuses scores that are not finite, not descending, or not one for each row', () => {
    for (const scores of [[1, 2], [Number.NaN, 1], [1, Number.NaN], [1], [Number.POSITIVE_INFINITY, 1]]) {
      const list = { rows: rows(1, 2), scores: Float64Array.from(scores), truncated: false };
      expect(() => expectedLatestAt(list, newestOf(1), 1)).toThrow(InvalidArgumentError);
    }
  });
});

describe('as-of correctness', () => {
  const availableAt = Float64Array.of(Number.NEGATIVE_INFINITY, 10, 20, 30);
  const endsAt = Float64Array.of(Number.POSITIVE_INFINITY, 20, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);

  it('is the share of the top k that could be returned then; available at t itself counts, one ms later does not', () => {
    expect(asOfCorrectnessAt(rows(0, 1, 2, 3), availableAt, 20, 4)).toBe(0.75);
    expect(asOfCorrectnessAt(rows(0, 1, 2, 3), availableAt, 19, 4)).toBe(0.5);
    expect(asOfCorrectnessAt(rows(2, 3, 0), availableAt, 20, 1)).toBe(1);
    expect(asOfCorrectnessAt(rows(0, 1), availableAt, 20, 100)).toBe(1);
  });

  it('counts what was withdrawn or superseded at t as wrong (cases 7 and 8)', () => {
    expect(asOfCorrectnessAt(rows(0, 1), availableAt, 20, 2, endsAt)).toBe(0.5);
    expect(asOfCorrectnessAt(rows(0, 1), availableAt, 19, 2, endsAt)).toBe(1);
  });

  it('is undefined for an empty list', () => {
    expect(asOfCorrectnessAt(rows(), availableAt, 20, 5)).toBeNaN();
  });
});
