import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { type ClusteredSample, type ColumnMeans, clusterMeans } from './clusterMeans.js';
import { allEqual, type Interval, percentileInterval } from './percentile.js';
import { resampleSums } from './resampleSums.js';

/** How many resamples are drawn, from which seed, and what an interval holds. */
export interface BootstrapOptions {
  /** Any integer; the same seed gives the same resamples for the same number of clusters. */
  readonly seed: number;
  /** Number of resamples of the clusters; 5,000 by default, as in the paper. */
  readonly resamples?: number;
  /** Share of the resamples that the interval holds; 0.95 by default: from the 2.5th to the 97.5th percentile. */
  readonly level?: number;
}

/** Why there is no interval. */
export type NoIntervalReason =
  | 'no cluster defines it'
  | 'fewer than two clusters'
  | 'all cluster means are equal'
  | 'no resample defines it';

/** The mean of a contrast over clusters, with its interval. */
export interface Estimate {
  /** Mean over clusters of the mean by cluster; null when no cluster defines the contrast. */
  readonly mean: number | null;
  /** Percentile interval of the resampled means; null where there is none, for the reason given. */
  readonly interval: Interval | null;
  readonly reason: NoIntervalReason | null;
  /** Clusters that define the contrast, of `PairedBootstrap.clusters`. */
  readonly clusters: number;
  /** Observations that define the contrast, of `PairedBootstrap.observations`. */
  readonly observations: number;
  /** Resamples that drew no cluster that defines the contrast; they are left out of the interval. */
  readonly undefinedResamples: number;
}

/** Estimates of contrasts over the same resamples. */
export interface PairedBootstrap {
  /** Clusters with at least one observation: what is resampled. */
  readonly clusters: number;
  readonly observations: number;
  readonly seed: number;
  readonly resamples: number;
  readonly level: number;
  /** One for each column, in their order. */
  readonly estimates: readonly Estimate[];
  /** [columns, resamples] row-major: mean of each column over each resample of clusters; NaN where undefined. */
  readonly resampledMeans: Float64Array;
}

/**
 * Paired cluster bootstrap (PIT Discovery, section 5.4).
 *
 * Each column (a contrast of two conditions at the same anchor) is averaged by cluster over the observations that
 * define it, then over clusters. The interval is the percentile interval, numpy's linear interpolation, of the means
 * over resamples of the clusters. Every column is averaged over the same resamples, which makes ratios of columns and
 * comparisons between them paired; a column's result does not depend on which other columns are present.
 *
 * A cluster that does not define a column keeps its place in the resample and is skipped in that column's mean. There
 * is no interval for fewer than two clusters, nor when all cluster means are equal.
 */
export function pairedBootstrap(sample: ClusteredSample, options: BootstrapOptions): PairedBootstrap {
  const { seed, resamples = 5000, level = 0.95 } = options;
  if (!Number.isInteger(resamples) || resamples < 1) {
    throw new InvalidArgumentError({ argument: 'resamples', value: resamples, expected: 'a positive integer' });
  }
  if (!(level > 0 && level < 1)) {
    throw new InvalidArgumentError({ argument: 'level', value: level, expected: 'a number between 0 and 1' });
  }
  if (sample.columns.length === 0) {
    throw new InvalidArgumentError({ argument: 'columns.length', value: 0, expected: 'at least one column' });
  }
  const columns = clusterMeans(sample);
  const clusters = columns[0]!.means.length;
  const resampledMeans = resampleMeans(columns, { clusters, resamples, seed });
  const estimates = columns.map((column, index) =>
    estimateOf(column, resampledMeans.subarray(index * resamples, (index + 1) * resamples), level),
  );
  return { clusters, observations: sample.clusterOf.length, seed, resamples, level, estimates, resampledMeans };
}

/** [columns, resamples] means over the clusters that define each column; NaN where a resample holds none. */
function resampleMeans(
  columns: readonly ColumnMeans[],
  options: { clusters: number; resamples: number; seed: number },
): Float64Array {
  const { clusters, resamples, seed } = options;
  if (clusters === 0) return new Float64Array(columns.length * resamples).fill(Number.NaN);
  const summed = columns.map(({ means }) => means.map((mean) => (Number.isNaN(mean) ? 0 : mean)));
  // How many drawn clusters define a column is itself a sum, of 0 and 1; columns undefined alike share one.
  const definedAt = new Map<string, number>();
  const definedSums = columns.map(({ means, clusters: defined }) => {
    if (defined === clusters) return undefined;
    const mask = Uint8Array.from(means, (mean) => (Number.isNaN(mean) ? 0 : 1));
    const key = Buffer.from(mask).toString('latin1');
    if (!definedAt.has(key)) definedAt.set(key, summed.push(Float64Array.from(mask)) - 1);
    return definedAt.get(key);
  });
  const sums = resampleSums(summed, { resamples, seed, purpose: 'evaluation/bootstrap' });
  for (let column = 0; column < columns.length; column++) {
    const start = column * resamples;
    const counts = definedSums[column];
    for (let resample = 0; resample < resamples; resample++) {
      sums[start + resample]! /= counts === undefined ? clusters : sums[counts * resamples + resample]!;
    }
  }
  return sums.subarray(0, columns.length * resamples);
}

function estimateOf(column: ColumnMeans, resampled: Float64Array, level: number): Estimate {
  const { means, clusters, observations } = column;
  const { interval, undefinedResamples } = percentileInterval(resampled, level);
  const reason = reasonForNone(column) ?? (interval === null ? 'no resample defines it' : null);
  return {
    mean: clusters === 0 ? null : means.reduce((sum, mean) => (Number.isNaN(mean) ? sum : sum + mean), 0) / clusters,
    interval: reason === null ? interval : null,
    reason,
    clusters,
    observations,
    undefinedResamples,
  };
}

function reasonForNone({ means, clusters }: ColumnMeans): NoIntervalReason | null {
  if (clusters === 0) return 'no cluster defines it';
  if (clusters === 1) return 'fewer than two clusters';
  return allEqual(means) ? 'all cluster means are equal' : null;
}
