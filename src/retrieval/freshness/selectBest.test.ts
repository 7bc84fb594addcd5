import fc from 'fast-check';
import { expect, it } from 'vitest';
import { selectBest } from './selectBest.js';

it('selects what a sort of everything by the same keys puts first, whatever ties and floor', () => {
  // Few values, so that every key is needed.
  const key = fc.constantFrom(-1, 0, 0.5, 1);
  const candidates = fc.array(fc.record({ score: key, relevance: key, strength: key }), { maxLength: 40 });
  const arbitrary = fc.tuple(
    candidates,
    fc.nat(45),
    fc.constantFrom(Number.NEGATIVE_INFINITY, 0, 0.5, 2),
    fc.boolean(),
  );
  fc.assert(
    fc.property(arbitrary, fc.infiniteStream(fc.nat()), ([all, depth, floor, isStrengthKnown], random) => {
      const ties = Uint32Array.from(all.keys());
      for (let at = ties.length - 1; at > 0; at--) {
        const other = random.next().value % (at + 1);
        [ties[at], ties[other]] = [ties[other]!, ties[at]!];
      }
      const strengthOf = (at: number) => (isStrengthKnown ? all[at]!.strength : 0);
      const byRelevance = [...all.keys()].sort(
        (a, b) => all[b]!.relevance - all[a]!.relevance || strengthOf(b) - strengthOf(a) || ties[a]! - ties[b]!,
      );
      const expected = [...all.keys()]
        .filter((at) => all[at]!.relevance >= floor)
        .sort((a, b) => all[b]!.score - all[a]!.score || byRelevance.indexOf(a) - byRelevance.indexOf(b))
        .slice(0, depth);
      const found = selectBest(
        {
          scores: Float64Array.from(all, ({ score }) => score),
          relevances: Float64Array.from(all, ({ relevance }) => relevance),
          strengths: isStrengthKnown ? Float64Array.from(all, ({ strength }) => strength) : undefined,
          ties,
        },
        depth,
        floor,
      );
      expect(Array.from(found.items)).toEqual(expected);
      expect(Array.from(found.relevanceRanks)).toEqual(expected.map((at) => byRelevance.indexOf(at) + 1));
      expect(found.belowFloor).toBe(all.filter(({ relevance }) => relevance < floor).length);
    }),
    { numRuns: 300 },
  );
});
