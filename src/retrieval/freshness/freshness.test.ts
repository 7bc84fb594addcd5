import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NonFiniteScoreError } from '../../errors/NonFiniteScoreError.js';
import { millisecondsPerDay as day, lastInstant } from '../../time/instant.js';
import { compareRanked } from '../ranking.js';
import { adaptiveHalfLife } from './adaptiveHalfLife.js';
import type { FreshnessCandidates } from './candidates.js';
import { ageOf, decayOf, decaysOf } from './decay.js';
import type { FreshnessOptions } from './options.js';
import { rankFreshness } from './rankFreshness.js';

const asOf = 1_600_000_000_000;

/** Candidates from [similarity, age in days]; rows 100, 101, ... in id order. */
function candidatesOf(...items: (readonly [similarity: number, days: number])[]): FreshnessCandidates {
  return {
    asOf,
    rows: Uint32Array.from(items, (_, at) => 100 + at),
    ties: Uint32Array.from(items, (_, at) => at),
    eventAt: Float64Array.from(items, ([, days]) => asOf - days * day),
    similarity: Float64Array.from(items, ([similarity]) => similarity),
  };
}

const order = (candidates: FreshnessCandidates, options: Partial<FreshnessOptions>) =>
  Array.from(rankFreshness(candidates, { method: 'fused', depth: 100, ...options }).candidates);

describe('decay', () => {
  it('is 1 for what is dated ahead of t, never above and never a division by zero (case 1)', () => {
    expect(decayOf(ageOf(asOf, asOf + 10 * day), 14 * day)).toBe(1);
    expect(decayOf(ageOf(asOf, asOf), 14 * day)).toBe(1);
  });

  it('clamps the age before the power, so the year 9999 neither overflows nor gives NaN (case 2)', () => {
    expect(ageOf(asOf, lastInstant)).toBe(0);
    expect(decayOf(ageOf(asOf, lastInstant), 1)).toBe(1);
    expect(rankFreshness(candidatesOf([0.5, -3_000_000]), { method: 'fused', depth: 1 }).scores[0]).toBe(0.65);
  });

  it('is 0.5^(242/14) after 242 days at a half-life of 14, not floored (case 3)', () => {
    const decay = decayOf(242 * day, 14 * day);
    expect(Math.abs(decay / 6.2586620789e-6 - 1)).toBeLessThan(1e-9);
  });

  it('is the same to the last bit for one and for many, zero and huge ages too (case 4)', () => {
    const event = fc.oneof(
      fc.double({ noDefaultInfinity: true }),
      fc.constantFrom(asOf, -8.64e15, 8.64e15, Number.NaN),
    );
    fc.assert(
      fc.property(fc.array(event), fc.double({ min: 1, max: 1e14, noNaN: true }), (events, halfLife) => {
        const many = decaysOf(asOf, Float64Array.from(events), halfLife);
        for (const [at, event] of events.entries()) expect(many[at]).toBe(decayOf(ageOf(asOf, event), halfLife));
      }),
    );
  });

  it('is within 0 and 1, falls with age, and halves in a half-life', () => {
    const age = fc.double({ min: 0, max: 1e13, noNaN: true });
    fc.assert(
      fc.property(age, age, fc.double({ min: day, max: 1e12, noNaN: true }), (a, b, halfLife) => {
        const [young, old] = a < b ? [a, b] : [b, a];
        expect(decayOf(young, halfLife)).toBeLessThanOrEqual(1);
        expect(decayOf(old, halfLife)).toBeGreaterThanOrEqual(0);
        expect(decayOf(young, halfLife)).toBeGreaterThanOrEqual(decayOf(old, halfLife));
      }),
    );
    expect(decayOf(14 * day, 14 * day)).toBe(0.5);
  });

  it('is 0 for what has no date', () => {
    expect(decaysOf(asOf, Float64Array.of(Number.NaN), day)[0]).toBe(0);
  });
});

describe('the methods', () => {
  const items = candidatesOf([0.9, 100], [0.8, 1], [0.2, 0], [0.85, 30]);

  it('similarity: by relevance alone', () => {
    expect(order(items, { method: 'similarity' })).toEqual([0, 3, 1, 2]);
  });

  it('semantic-then-newest: the best by similarity, newest first, undated last', () => {
    expect(order(items, { method: 'semantic-then-newest' })).toEqual([2, 1, 3, 0]);
    expect(order(items, { method: 'semantic-then-newest', pool: 3 })).toEqual([1, 3, 0]);
    expect(order(candidatesOf([1, Number.NaN], [0.1, 1e6]), { method: 'semantic-then-newest' })).toEqual([1, 0]);
  });

  it('fused: alpha * similarity + (1 - alpha) * decay, 0.7 and 14 days as in the paper', () => {
    const ranking = rankFreshness(items, { method: 'fused', depth: 10 });
    expect(Array.from(ranking.candidates)).toEqual([1, 3, 0, 2]);
    expect(ranking.scores[0]).toBeCloseTo(0.7 * 0.8 + 0.3 * 0.5 ** (1 / 14), 14);
    expect(ranking.halfLife).toBe(14 * day);
  });

  it('fused is similarity at alpha 1 and newest first at alpha 0', () => {
    const item = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), (pairs) => {
        const candidates = candidatesOf(...pairs.map(([similarity, age]) => [similarity / 4, age] as const));
        expect(order(candidates, { alpha: 1 })).toEqual(order(candidates, { method: 'similarity' }));
        expect(order(candidates, { alpha: 0 })).toEqual(
          order(candidates, { method: 'semantic-then-newest', pool: 1000 }),
        );
      }),
    );
  });

  it('explains every entry: relevance and its rank, age, decay, score', () => {
    const ranking = rankFreshness(items, { method: 'fused', depth: 2 });
    expect(Array.from(ranking.rows)).toEqual([101, 103]);
    expect(Array.from(ranking.relevances)).toEqual([0.8, 0.85]);
    expect(Array.from(ranking.relevanceRanks)).toEqual([3, 2]);
    expect(Array.from(ranking.ages)).toEqual([day, 30 * day]);
    expect(Array.from(ranking.decays)).toEqual([0.5 ** (1 / 14), 0.5 ** (30 / 14)]);
    expect(ranking.counts).toEqual({ candidates: 4, belowFloor: 0, outsidePool: 0 });
  });

  it('a narrow pool loses the newest relevant item that the full one finds', () => {
    const stale = Array.from({ length: 50 }, (_, at) => [0.9 - at / 1e4, 200] as const);
    const candidates = candidatesOf(...stale, [0.8, 0]);
    expect(order(candidates, {})[0]).toBe(50);
    const narrow = rankFreshness(candidates, { method: 'fused', pool: 50, depth: 100 });
    expect(Array.from(narrow.candidates)).not.toContain(50);
    expect(narrow.counts.outsidePool).toBe(1);
  });

  it('a floor keeps fresh irrelevant items from winning', () => {
    const candidates = candidatesOf([0.1, 0], [0.5, 365]);
    expect(order(candidates, {})[0]).toBe(0);
    expect(order(candidates, { floor: 0.3 })).toEqual([1]);
    expect(rankFreshness(candidates, { method: 'fused', floor: 0.3, depth: 5 }).counts.belowFloor).toBe(1);
  });
});

describe('every ranking', () => {
  const item = fc.tuple(
    fc.double({ min: -1, max: 1, noNaN: true }).map((value) => Math.round(value * 8) / 8),
    fc.oneof(fc.integer({ min: -5, max: 400 }), fc.constant(Number.NaN)),
  );
  const options = fc.record({
    method: fc.constantFrom('similarity' as const, 'semantic-then-newest' as const, 'fused' as const),
    alpha: fc.double({ min: 0, max: 1, noNaN: true }),
    halfLife: fc.oneof(fc.integer({ min: 1, max: 1e12 }), fc.constant('adaptive' as const)),
    floor: fc.double({ min: -1, max: 1, noNaN: true }),
    pool: fc.integer({ min: 1, max: 20 }),
    depth: fc.integer({ min: 1, max: 20 }),
  });

  it('does not depend on the order of the candidates (case 21)', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 15 }), options, fc.infiniteStream(fc.nat()), (items, chosen, keys) => {
        const candidates = candidatesOf(...items);
        const order = items.map((_, at) => [keys.next().value as number, at] as const).sort((a, b) => a[0] - b[0]);
        const shuffled = order.map(([, at]) => at);
        const moved: FreshnessCandidates = {
          asOf,
          rows: Uint32Array.from(shuffled, (at) => candidates.rows[at]!),
          ties: Uint32Array.from(shuffled, (at) => candidates.ties[at]!),
          eventAt: Float64Array.from(shuffled, (at) => candidates.eventAt[at]!),
          similarity: Float64Array.from(shuffled, (at) => candidates.similarity![at]!),
        };
        const { candidates: _a, ...expected } = rankFreshness(candidates, chosen);
        const { candidates: _b, ...found } = rankFreshness(moved, chosen);
        expect(found).toEqual(expected);
      }),
    );
  });

  it('equals a full sort of the scores by the one comparator', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 15 }), fc.double({ min: 0, max: 1, noNaN: true }), (items, alpha) => {
        const candidates = candidatesOf(...items);
        const byRelevance = [...items.keys()].sort((a, b) => compareRanked(items[a]![0], a, items[b]![0], b));
        const scoreOf = (at: number) =>
          alpha * items[at]![0] + (1 - alpha) * decayOf(ageOf(asOf, candidates.eventAt[at]!), 14 * day);
        const expected = [...items.keys()].sort((a, b) =>
          compareRanked(scoreOf(a), byRelevance.indexOf(a), scoreOf(b), byRelevance.indexOf(b)),
        );
        expect(order(candidates, { alpha })).toEqual(expected);
      }),
    );
  });

  it('of nothing is empty', () => {
    for (const method of ['similarity', 'semantic-then-newest', 'fused'] as const) {
      expect(order(candidatesOf(), { method, halfLife: 'adaptive' })).toEqual([]);
    }
  });
});

describe('adaptive half-life', () => {
  const adaptive = (candidates: FreshnessCandidates) =>
    rankFreshness(candidates, { method: 'fused', halfLife: 'adaptive', depth: 1 }).halfLife / day;
  const series = (count: number, gap: number) =>
    Array.from({ length: count }, (_, at) => [0.9, at * gap] as [number, number]);

  it('is the age of the tenth newest relevant item, so it is short where relevant material is dense', () => {
    expect(adaptive(candidatesOf(...series(40, 1)))).toBe(9);
    expect(adaptive(candidatesOf(...series(40, 7)))).toBe(63);
    expect(adaptive(candidatesOf(...series(3, 7)))).toBe(14);
  });

  it('looks at relevant items only', () => {
    const noise = Array.from({ length: 40 }, (_, at) => [0.1, at / 10] as [number, number]);
    expect(adaptive(candidatesOf(...series(40, 7), ...noise))).toBe(63);
    expect(adaptive(candidatesOf([-0.5, 3], [-0.9, 0]))).toBe(3);
  });

  it('stays within a day and a year', () => {
    expect(adaptive(candidatesOf(...series(40, 0)))).toBe(1);
    expect(adaptive(candidatesOf(...series(40, 300)))).toBe(365);
    expect(adaptive(candidatesOf([0.9, Number.NaN]))).toBe(365);
    expect(adaptiveHalfLife(asOf, new Float64Array(0), new Float64Array(0), new Uint32Array(0)) / day).toBe(365);
  });
});

describe('the best few of many candidates', () => {
  it('are the first of the whole ranking, with the same scores and ranks', () => {
    const item = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2, max: 30 }));
    const many = fc.array(item, { minLength: 150, maxLength: 300 });
    const method = fc.constantFrom('similarity' as const, 'semantic-then-newest' as const, 'fused' as const);
    const floor = fc.constantFrom(undefined, 0, 2, 9);
    fc.assert(
      fc.property(many, method, floor, fc.integer({ min: 1, max: 9 }), (items, chosen, least, depth) => {
        const candidates = candidatesOf(...items);
        const options = { method: chosen, floor: least, pool: 1000 };
        const whole = rankFreshness(candidates, { ...options, depth: items.length });
        const best = rankFreshness(candidates, { ...options, depth });
        for (const column of [
          'candidates',
          'rows',
          'scores',
          'relevances',
          'relevanceRanks',
          'ages',
          'decays',
        ] as const) {
          expect(best[column]).toEqual(whole[column].slice(0, depth));
        }
        expect(best.counts).toEqual(whole.counts);
      }),
      { numRuns: 60 },
    );
  });
});

describe('bad input', () => {
  const candidates = candidatesOf([0.5, 1]);
  it.each([
    [{ halfLife: 0 }, /halfLife: got 0, expected a finite duration above 0/],
    [{ halfLife: -day }, /halfLife: got -86400000/],
    [{ halfLife: Number.NaN }, /halfLife: got NaN/],
    [{ halfLife: Number.POSITIVE_INFINITY }, /halfLife: got Infinity/],
    [{ alpha: -0.01 }, /alpha: got -0.01, expected a number in \[0, 1\]/],
    [{ alpha: 1.01 }, /alpha: got 1.01/],
    [{ alpha: Number.NaN }, /alpha: got NaN/],
    [{ floor: Number.NaN }, /floor: got NaN/],
    [{ pool: 0 }, /pool: got 0/],
    [{ pool: 1.5 }, /pool: got 1.5/],
    [{ depth: 0 }, /depth: got 0/],
    [{ method: 'newest' as never }, /method: got "newest", expected one of similarity,/],
    [{ method: 'coverage' }, /terms: got nothing/],
  ] satisfies [Partial<FreshnessOptions>, RegExp][])('%o is refused', (options, message) => {
    expect(() => rankFreshness(candidates, { method: 'fused', depth: 1, ...options })).toThrow(message);
  });

  it('a similarity that is not finite names its row; columns that do not fit, theirs', () => {
    expect(() => rankFreshness(candidatesOf([Number.NaN, 1]), { method: 'fused', depth: 1 })).toThrow(
      NonFiniteScoreError,
    );
    expect(() => rankFreshness(candidatesOf([Number.NaN, 1]), { method: 'fused', depth: 1 })).toThrow(/row 100/);
    for (const column of ['ties', 'eventAt', 'similarity'] as const) {
      const broken = { ...candidates, [column]: candidates[column]!.slice(1) };
      expect(() => rankFreshness(broken, { method: 'fused', depth: 1 })).toThrow(column);
    }
    expect(() => rankFreshness({ ...candidates, similarity: undefined }, { method: 'fused', depth: 1 })).toThrow(
      /similarity: got nothing/,
    );
  });
});
