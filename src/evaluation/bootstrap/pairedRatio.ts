import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { NoIntervalReason, PairedBootstrap } from './pairedBootstrap.js';
import { allEqual, type Interval, percentileInterval } from './percentile.js';

/** A ratio of means, with its interval over the same resamples as the means themselves. */
export interface RatioEstimate {
  /** The ratio of the means over clusters, never a mean of ratios; null where it is not defined. */
  readonly value: number | null;
  /** Percentile interval over the resamples that define the ratio; null where there is none. */
  readonly interval: Interval | null;
  /** Why there is no value, or a value but no interval. */
  readonly reason: NoIntervalReason | 'all resampled ratios are equal' | (string & {}) | null;
  /** Resamples that leave the ratio undefined; left out of the interval. */
  readonly undefinedResamples: number;
}

/**
 * Estimates a function of several columns' means over the resamples of a bootstrap.
 *
 * @param columns the columns that the ratio is made of; all defined at the same observations
 * @param ratio the ratio, given the columns' means in that order; NaN where it is not defined, for example for the sign
 *   of its denominator
 * @param undefinedReason why `ratio` may be NaN
 * @throws InvalidArgumentError when the columns rest on different numbers of clusters or observations: their ratio would
 *   compare different samples
 */
export function pairedRatio(
  bootstrap: PairedBootstrap,
  columns: readonly number[],
  ratio: (...means: number[]) => number,
  undefinedReason: string,
): RatioEstimate {
  const { resamples, resampledMeans, level } = bootstrap;
  const parts = columns.map((column) => bootstrap.estimates[column]!);
  const first = parts[0]!;
  for (const [index, part] of parts.entries()) {
    if (part.clusters === first.clusters && part.observations === first.observations) continue;
    throw new InvalidArgumentError({
      argument: `columns[${index}]`,
      value: `defined at ${part.observations} observations of ${part.clusters} clusters`,
      expected: `${first.observations} observations of ${first.clusters} clusters, as the first column`,
    });
  }

  const means = new Array<number>(columns.length);
  const resampled = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    for (let part = 0; part < columns.length; part++)
      means[part] = resampledMeans[columns[part]! * resamples + resample]!;
    resampled[resample] = ratio(...means);
  }
  const { interval, undefinedResamples } = percentileInterval(resampled, level);
  const without = (value: number | null, reason: RatioEstimate['reason']) => ({
    value,
    interval: null,
    reason,
    undefinedResamples,
  });

  if (first.clusters === 0) return without(null, 'no cluster defines it');
  const value = ratio(...parts.map((part) => part.mean!));
  if (Number.isNaN(value)) return without(null, undefinedReason);
  if (first.clusters === 1) return without(value, 'fewer than two clusters');
  if (interval === null) return without(value, 'no resample defines it');
  if (allEqual(resampled)) return without(value, 'all resampled ratios are equal');
  return { value, interval, reason: null, undefinedResamples };
}
