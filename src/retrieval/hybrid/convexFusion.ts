import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { RankedBlock } from '../ranking.js';
import { type Contribution, type FusionOptions, fuseLists } from './fuseLists.js';

/** Weights and depth of a convex fusion. */
export interface ConvexOptions extends FusionOptions {
  /** Weight of each list: not negative, adding up to 1. */
  readonly weights: readonly number[];
}

/**
 * Convex combination of min-max-normalised scores (Bruch, Gai and Ingber 2023, section 3): score(a) = sum over lists of
 * weight * (s - min) / (max - min), over the entries of the query's list. A list that lacks `a` adds 0. Where all
 * entries of a list have one score, or there is one entry, each of them is the best and counts 1.
 */
export function convexFusion(lists: readonly RankedBlock[], options: ConvexOptions): RankedBlock {
  const { weights } = options;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (weights.length !== lists.length || weights.some((weight) => !(weight >= 0)) || !(Math.abs(total - 1) < 1e-9)) {
    throw new InvalidArgumentError({
      argument: 'weights',
      value: weights,
      expected: `${lists.length} numbers of at least 0 that add up to 1`,
    });
  }
  return fuseLists(lists, options, (list, scores) => minMax(scores, weights[list]!));
}

/** @param scores descending */
function minMax(scores: Float64Array, weight: number): Contribution {
  // Halves, so that the span of the largest doubles stays finite.
  const best = (scores[0] ?? 0) / 2;
  const worst = (scores.at(-1) ?? 0) / 2;
  if (best === worst) return () => weight;
  return (_, score) => weight * ((score / 2 - worst) / (best - worst));
}
