import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { blockOf, mechanismContract, mechanismWorlds, productsOf, rankWith } from '../testing/mechanismContract.js';
import { FeedbackMechanism } from './feedback.js';
import { TraceMechanism } from './trace.js';

mechanismContract('trace', ({ context }) => new TraceMechanism(context));
mechanismContract('trace, not normalised', ({ context }) => new TraceMechanism(context, { normalise: 'none' }));
mechanismContract('feedback', ({ context, products }) => new FeedbackMechanism(context, products));

const anyCall = mechanismWorlds.chain((world) =>
  fc.record({
    world: fc.constant(world),
    base: fc.shuffledSubarray([...Array(world.assets).keys()]),
    entries: fc.array(fc.tuple(fc.nat({ max: world.requests - 1 }), fc.double({ min: 0.01, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 6,
    }),
  }),
);

/** Ranks every asset with a score, straight from a score function: score, then base rank, then id order. */
function rankSlowly(base: readonly number[], scores: ReadonlyMap<number, number>, idOrder: Uint32Array): number[] {
  const baseRank = (row: number) => (base.includes(row) ? base.indexOf(row) + 1 : Number.POSITIVE_INFINITY);
  return [...scores.keys()].sort((a, b) => {
    const [scoreA, scoreB] = [scores.get(a)!, scores.get(b)!];
    if (scoreA !== scoreB) return scoreB - scoreA;
    if (baseRank(a) !== baseRank(b)) return baseRank(a) < baseRank(b) ? -1 : 1;
    return idOrder[a]! - idOrder[b]!;
  });
}

describe('TraceMechanism', () => {
  it('ranks as the formula of section 5.2 says', () => {
    fc.assert(
      fc.property(anyCall, ({ world, base, entries }) => {
        const { traces, traceDepth, idOrder } = world.context;
        const memory = new Map<number, number>();
        for (const [request, s] of entries) {
          for (let r = 0; r < Math.min(traceDepth, traces.lengths[request]!); r++) {
            const row = traces.rows[request * traces.depth + r]!;
            memory.set(row, (memory.get(row) ?? 0) + (s * s) / Math.log2(r + 2));
          }
        }
        const largest = Math.max(0, ...memory.values());
        const scores = new Map<number, number>();
        for (const row of new Set([...base, ...memory.keys()])) {
          const fromBase = base.includes(row) ? 1 / (base.indexOf(row) + 1) : 0;
          scores.set(row, fromBase + (largest > 0 ? 1 / largest : 0) * (memory.get(row) ?? 0));
        }
        const ranked = rankWith(new TraceMechanism(world.context), { base, entries, outputDepth: world.assets });
        expect(ranked.rows).toEqual(rankSlowly(base, scores, idOrder));
      }),
    );
  });

  it('gives the worked example: base ranks 1, 2; one trace at similarity 0.5', () => {
    const context = { traces: blockOf([[2, 0]], 3), traceDepth: 100, idOrder: Uint32Array.of(0, 1, 2) };
    const { rows, scores } = rankWith(new TraceMechanism(context), {
      base: [0, 1],
      entries: [[0, 0.5]],
      outputDepth: 3,
    });
    // u(2) = 0.25 / log2(2) = 0.25 -> 1 after normalising; u(0) = 0.25 / log2(3) -> 0.6309.
    expect(rows).toEqual([0, 2, 1]);
    expect(scores[0]).toBeCloseTo(1 + 1 / Math.log2(3), 12);
    expect(scores.slice(1)).toEqual([1, 0.5]);
  });

  it('refuses a weight that is not a finite number of 0 or more', () => {
    const context = { traces: blockOf([[0]], 1), traceDepth: 1, idOrder: Uint32Array.of(0) };
    for (const weight of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => new TraceMechanism(context, { weight })).toThrow(InvalidArgumentError);
    }
  });
});

describe('FeedbackMechanism', () => {
  it('adds the largest squared similarity of a click, scaled so that the strongest is 0.02', () => {
    const context = { idOrder: Uint32Array.of(0, 1, 2, 3) };
    const mechanism = new FeedbackMechanism(context, productsOf([[2], [2, 3], [1]]));
    const entries = [
      [0, 0.4],
      [1, 0.8],
    ] as const;
    const { rows, scores } = rankWith(mechanism, { base: [0, 1], entries, outputDepth: 4 });
    expect(rows).toEqual([0, 1, 2, 3]);
    expect(scores).toEqual([1, 0.5, 0.02, 0.02]);
  });

  it('is tagged as an oracle', () => {
    const mechanism = new FeedbackMechanism({ idOrder: Uint32Array.of(0) }, productsOf([[0]]));
    expect(mechanism.usesGold).toBe(true);
    expect(mechanism.reads).toBe('feedback');
  });
});
