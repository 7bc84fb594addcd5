import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Duration } from '../../time/duration.js';
import { millisecondsPerDay } from '../../time/instant.js';
import { checkDepth } from '../retriever.js';
import { checkHalfLife } from './decay.js';

/**
 * How relevance and age become one ranking.
 * - `similarity`: relevance alone; with cosine, the paper's first baseline.
 * - `semantic-then-newest`: the paper's second baseline: the best `pool` (50) by similarity, newest first.
 * - `fused`: the paper's score, alpha * similarity + (1 - alpha) * 0.5^(age / halfLife) (section 2.4).
 * - `coverage` (ours, the default): relevance * (alpha + (1 - alpha) * 0.5^(age / halfLife)), relevance being the share of
 *   the query's subject that the candidate holds (see `coverageOf`). Recency counts as far as a candidate is relevant: what
 *   is less than alpha times as relevant as another cannot win by being new.
 */
export type FreshnessMethod = 'similarity' | 'semantic-then-newest' | 'fused' | 'coverage';

export const freshnessMethods: readonly FreshnessMethod[] = ['similarity', 'semantic-then-newest', 'fused', 'coverage'];

/** How relevance and age make a score. */
export interface FreshnessOptions {
  /** `coverage` by default. */
  readonly method?: FreshnessMethod | undefined;
  /** Weight of relevance against recency, in [0, 1]; 0.7 by default, the paper's, and 0.5 for `coverage`. */
  readonly alpha?: number | undefined;
  /**
   * Age at which recency counts half, in milliseconds, above 0; 14 days by default, the paper's, and 30 for `coverage`.
   * `adaptive`: from how dense relevant material lies in the snapshot (see `adaptiveHalfLife`).
   */
  readonly halfLife?: Duration | 'adaptive' | undefined;
  /** Candidates of a lower relevance are left out, however fresh; none are by default. */
  readonly floor?: number | undefined;
  /**
   * Only this many candidates, the best by relevance, take part: a narrow pool loses the newest relevant item, as the
   * paper describes. All by default; 50 for `semantic-then-newest`.
   */
  readonly pool?: number | undefined;
  /** Entries of the ranking at most. */
  readonly depth: number;
}

/** Options with every default filled in. */
export interface FreshnessSettings {
  readonly method: FreshnessMethod;
  readonly alpha: number;
  readonly halfLife: Duration | 'adaptive';
  /** -Infinity for none. */
  readonly floor: number;
  /** Infinity for the full snapshot. */
  readonly pool: number;
  readonly depth: number;
}

/** The paper's: 0.7 and 14 days, over the full pool (section 3.2); `semantic-then-newest` cuts at 50 (section 5.1). */
const paperDefaults = { alpha: 0.7, halfLife: 14 * millisecondsPerDay, pool: Number.POSITIVE_INFINITY } as const;

const defaults: Record<FreshnessMethod, { alpha: number; halfLife: Duration | 'adaptive'; pool: number }> = {
  similarity: paperDefaults,
  'semantic-then-newest': { ...paperDefaults, pool: 50 },
  fused: paperDefaults,
  // Chosen on CVE descriptions of 2018 and 2019 (docs/results/freshness.md).
  coverage: { ...paperDefaults, alpha: 0.5, halfLife: 30 * millisecondsPerDay },
};

/** @throws InvalidArgumentError when a value is out of its bounds */
export function freshnessSettings(options: FreshnessOptions): FreshnessSettings {
  const { method = 'coverage', floor = Number.NEGATIVE_INFINITY, depth } = options;
  const refuse = (argument: string, value: unknown, expected: string) =>
    new InvalidArgumentError({ argument, value, expected });
  if (!freshnessMethods.includes(method)) throw refuse('method', method, `one of ${freshnessMethods.join(', ')}`);
  const {
    alpha = defaults[method].alpha,
    halfLife = defaults[method].halfLife,
    pool = defaults[method].pool,
  } = options;
  if (!(alpha >= 0 && alpha <= 1)) throw refuse('alpha', alpha, 'a number in [0, 1]');
  if (halfLife !== 'adaptive') checkHalfLife(halfLife);
  if (Number.isNaN(floor) || floor === Number.POSITIVE_INFINITY) throw refuse('floor', floor, 'a finite number');
  if (!(pool === Number.POSITIVE_INFINITY || (Number.isSafeInteger(pool) && pool > 0))) {
    throw refuse('pool', pool, 'a positive integer');
  }
  checkDepth(depth);
  return { method, alpha, halfLife, floor, pool, depth };
}
