import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { assignOptimally } from './assignOptimally.js';

/** Pairs of clusters of two slices. */
export interface ClusterMatch {
  readonly before: number;
  readonly now: number;
  /** Cosine of the two centroids. */
  readonly cosine: number;
}

/**
 * One-to-one matching of clusters by the cosine of their centroids.
 * - `greedy`: the nearest pair first, then the nearest of those left (temporal RAG, section 2.3).
 * - `optimal`: the pairs with the largest sum of cosines (ours); it never leaves a pair unmatched to which the greedy
 *   way's first choice stood in the way.
 */
export type MatchingRule = 'greedy' | 'optimal';

export const matchingRules: readonly MatchingRule[] = ['greedy', 'optimal'];

/**
 * Matches clusters that are at least `threshold` alike. Of equal cosines the pair with the earlier cluster before, then
 * now, comes first.
 *
 * @param cosines [before, now] row-major
 * @returns pairs in the order of `now`
 */
export function matchClusters(
  cosines: Float64Array,
  before: number,
  now: number,
  rule: MatchingRule,
  threshold: number,
): ClusterMatch[] {
  if (cosines.length !== before * now) {
    throw new InvalidArgumentError({ argument: 'cosines', value: cosines.length, expected: `${before} x ${now}` });
  }
  const pairs = rule === 'greedy' ? matchGreedily : matchOptimally;
  return pairs(cosines, before, now, threshold).sort((a, b) => a.now - b.now);
}

function matchGreedily(cosines: Float64Array, before: number, now: number, threshold: number): ClusterMatch[] {
  const candidates = candidatePairs(cosines, before, now, threshold).sort((a, b) => b.cosine - a.cosine);
  const taken = { before: new Set<number>(), now: new Set<number>() };
  return candidates.filter((pair) => {
    if (taken.before.has(pair.before) || taken.now.has(pair.now)) return false;
    taken.before.add(pair.before);
    taken.now.add(pair.now);
    return true;
  });
}

function matchOptimally(cosines: Float64Array, before: number, now: number, threshold: number): ClusterMatch[] {
  // A pair below the threshold is worth nothing, as no pair is: it may be chosen, and is then dropped.
  const worth = cosines.map((cosine) => (cosine >= threshold ? cosine - Math.min(0, threshold) : 0));
  const matched: ClusterMatch[] = [];
  for (const [row, column] of assignOptimally(worth, before, now).entries()) {
    if (column < 0) continue;
    const cosine = cosines[row * now + column]!;
    if (cosine >= threshold) matched.push({ before: row, now: column, cosine });
  }
  return matched;
}

function candidatePairs(cosines: Float64Array, before: number, now: number, threshold: number): ClusterMatch[] {
  const pairs: ClusterMatch[] = [];
  for (let row = 0; row < before; row++) {
    for (let column = 0; column < now; column++) {
      const cosine = cosines[row * now + column]!;
      if (cosine >= threshold) pairs.push({ before: row, now: column, cosine });
    }
  }
  return pairs;
}
