import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { RandomSource } from '../../random/RandomSource.js';
import type { ClusteredSample } from './clusterMeans.js';
import { type Estimate, pairedBootstrap } from './pairedBootstrap.js';
import { quantileOfSorted } from './percentile.js';
import { slowResamples } from './testing/slowResample.js';

const nan = Number.NaN;

/** Sum of two uniform numbers a value, centred on `centre`; every `gap`-th observation undefined. */
function syntheticSample(observations: number, clusters: number, seed: number, centre = 0, gap = 0): ClusteredSample {
  const random = new RandomSource(seed, 'test/sample');
  const clusterOf = Uint32Array.from({ length: observations }, (_, at) => at % clusters);
  const values = Float64Array.from({ length: observations }, (_, at) =>
    gap > 0 && at % gap === 0 ? nan : centre + random.unit() + random.unit() - 1,
  );
  return { clusterOf, clusters, columns: [values] };
}

const map = (values: Float64Array, change: (value: number) => number) => Float64Array.from(values, change);
const only = (sample: ClusteredSample, seed = 1, resamples = 1000) =>
  pairedBootstrap(sample, { seed, resamples }).estimates[0]!;

/** The definition, step by step, on lists. */
function slowEstimate(sample: ClusteredSample, column: number, seed: number, resamples: number): Estimate {
  const byCluster = new Map<number, number[]>();
  for (const [observation, cluster] of sample.clusterOf.entries()) {
    const values = byCluster.get(cluster) ?? [];
    if (!Number.isNaN(sample.columns[column]![observation])) values.push(sample.columns[column]![observation]!);
    byCluster.set(cluster, values);
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const defined = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value));
  const groups = [...byCluster].sort(([a], [b]) => a - b).map(([, values]) => values.sort((a, b) => a - b));
  const means = groups.map(mean);
  const resampled = slowResamples(means.length, { resamples, seed, purpose: 'evaluation/bootstrap' }).map((draws) =>
    mean(defined(draws.map((row) => means[row]!))),
  );
  const sorted = Float64Array.from(defined(resampled)).sort();
  return {
    mean: mean(defined(means)),
    interval: { lower: quantileOfSorted(sorted, (1 - 0.95) / 2), upper: quantileOfSorted(sorted, 1 - (1 - 0.95) / 2) },
    reason: null,
    clusters: defined(means).length,
    observations: groups.flat().length,
    undefinedResamples: resamples - sorted.length,
  };
}

describe('paired bootstrap', () => {
  it('equals the definition step by step, to the last bit, with undefined observations and clusters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 12 }), fc.integer({ min: 2, max: 5 }), fc.nat(), (clusters, gap, seed) => {
        const first = syntheticSample(30, clusters, seed);
        const second = syntheticSample(30, clusters, seed + 1, 0.5, gap);
        const sample = { ...first, columns: [...first.columns, ...second.columns] };
        const { estimates } = pairedBootstrap(sample, { seed, resamples: 41 });
        for (const column of [0, 1]) {
          const expected = slowEstimate(sample, column, seed, 41);
          fc.pre(expected.clusters > 1);
          expect(estimates[column]).toEqual(expected);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('by default draws 5,000 resamples and takes the 2.5th and 97.5th percentile', () => {
    const result = pairedBootstrap(syntheticSample(50, 20, 1), { seed: 3 });
    expect([result.resamples, result.level, result.resampledMeans.length]).toEqual([5000, 0.95, 5000]);
    const sorted = result.resampledMeans.slice().sort();
    expect(result.estimates[0]!.interval).toEqual({
      lower: quantileOfSorted(sorted, (1 - 0.95) / 2),
      upper: quantileOfSorted(sorted, 1 - (1 - 0.95) / 2),
    });
  });

  it('takes each cluster once, however many observations it has', () => {
    const sample = { clusterOf: Uint32Array.of(0, 0, 0, 1), clusters: 2, columns: [Float64Array.of(1, 1, 1, 0)] };
    expect(only(sample).mean).toBe(0.5);
  });

  it('gives a column the same result whichever others are present', () => {
    const full = syntheticSample(60, 25, 1).columns[0]!;
    const holed = syntheticSample(60, 25, 2, 0, 3).columns[0]!;
    const sparse = Float64Array.from(full, (value, at) => (at < 5 ? value : nan));
    const { clusterOf, clusters } = syntheticSample(60, 25, 1);
    const together = pairedBootstrap({ clusterOf, clusters, columns: [full, holed, sparse] }, { seed: 9 });
    for (const [index, column] of [full, holed, sparse].entries()) {
      const alone = pairedBootstrap({ clusterOf, clusters, columns: [column] }, { seed: 9 });
      expect(alone.estimates[0]).toEqual(together.estimates[index]);
      expect(alone.resampledMeans).toEqual(together.resampledMeans.slice(index * 5000, index * 5000 + 5000));
    }
  });

  it('moves mean and interval by a shift of all values, and turns them over with the sign', () => {
    const sample = syntheticSample(80, 30, 4);
    const base = only(sample);
    const shifted = only({ ...sample, columns: [map(sample.columns[0]!, (value) => value + 0.25)] });
    expect(shifted.mean! - base.mean!).toBeCloseTo(0.25, 13);
    expect(shifted.interval!.lower - base.interval!.lower).toBeCloseTo(0.25, 13);
    expect(shifted.interval!.upper - base.interval!.upper).toBeCloseTo(0.25, 13);
    const negated = only({ ...sample, columns: [map(sample.columns[0]!, (value) => -value)] });
    expect(negated.interval!.lower).toBeCloseTo(-base.interval!.upper, 13);
    expect(negated.interval!.upper).toBeCloseTo(-base.interval!.lower, 13);
  });

  it('does not depend on the order of observations, nor on cluster indices that nothing uses', () => {
    const { clusterOf, clusters, columns } = syntheticSample(80, 30, 4, 0, 7);
    const base = only({ clusterOf, clusters, columns });
    expect(only({ clusterOf: clusterOf.toReversed(), clusters, columns: [columns[0]!.toReversed()] })).toEqual(base);
    const spread = clusterOf.map((cluster) => cluster * 3 + 1);
    expect(only({ clusterOf: spread, clusters: 100, columns })).toEqual(base);
  });

  it('keeps its mean under a renaming of clusters, and its interval up to Monte-Carlo error', () => {
    const { clusterOf, clusters, columns } = syntheticSample(400, 200, 5);
    const base = only({ clusterOf, clusters, columns }, 1, 5000);
    const renamed = only({ clusterOf: clusterOf.map((cluster) => 199 - cluster), clusters, columns }, 1, 5000);
    expect(renamed.mean).toBeCloseTo(base.mean!, 14);
    // The 2.5th percentile of 5,000 normal draws has a standard error of 0.038 standard deviations, the difference of two
    // of them 0.054; four of those are allowed.
    const deviation = (base.interval!.upper - base.interval!.lower) / (2 * 1.96);
    expect(Math.abs(renamed.interval!.lower - base.interval!.lower)).toBeLessThan(4 * 0.054 * deviation);
    expect(Math.abs(renamed.interval!.upper - base.interval!.upper)).toBeLessThan(4 * 0.054 * deviation);
    expect(renamed.interval).not.toEqual(base.interval);
  });

  it('covers the true mean about as often as it says', () => {
    let covered = 0;
    for (let trial = 0; trial < 400; trial++) {
      const { lower, upper } = only(syntheticSample(120, 60, trial, 0.3), trial, 400).interval!;
      if (lower <= 0.3 && 0.3 <= upper) covered++;
    }
    // 95% of 400 is 380, standard deviation 4.4; the percentile interval of 60 clusters runs slightly narrow.
    expect(covered).toBeGreaterThan(360);
    expect(covered).toBeLessThan(396);
  });

  it('agrees with the normal interval of the mean, to within Monte-Carlo error', () => {
    const sample = syntheticSample(1200, 1200, 8);
    const values = sample.columns[0]!;
    const { mean, interval } = only(sample, 1, 5000);
    const error = Math.sqrt(values.reduce((sum, value) => sum + (value - mean!) ** 2, 0)) / values.length;
    expect(Math.abs(interval!.lower - (mean! - 1.96 * error))).toBeLessThan(0.15 * error);
    expect(Math.abs(interval!.upper - (mean! + 1.96 * error))).toBeLessThan(0.15 * error);
  });
});

describe('where there is no interval (case 29)', () => {
  const without = (sample: ClusteredSample) => {
    const estimate = only(sample);
    expect(JSON.stringify(estimate)).not.toContain('NaN');
    expect(estimate.interval).toBeNull();
    return { mean: estimate.mean, reason: estimate.reason, clusters: estimate.clusters };
  };
  const clusterOf = Uint32Array.of(0, 1, 2, 2);

  it('one cluster has a mean and no interval', () => {
    const sample = { clusterOf: Uint32Array.of(3, 3), clusters: 5, columns: [Float64Array.of(1, 2)] };
    expect(without(sample)).toEqual({ mean: 1.5, reason: 'fewer than two clusters', clusters: 1 });
  });

  it('one cluster that defines the column, among several, has none either', () => {
    const sample = { clusterOf, clusters: 3, columns: [Float64Array.of(nan, 2, nan, nan)] };
    expect(without(sample)).toEqual({ mean: 2, reason: 'fewer than two clusters', clusters: 1 });
  });

  it('equal differences have none, even where they differ by rounding', () => {
    const equal = { clusterOf, clusters: 3, columns: [Float64Array.of(0.1, 0.1, 0.1, 0.1)] };
    expect(without(equal).reason).toBe('all cluster means are equal');
    const rounded = { clusterOf, clusters: 3, columns: [Float64Array.of(5 / 6 - 4 / 6, 2 / 6 - 1 / 6, nan, nan)] };
    expect(without(rounded).reason).toBe('all cluster means are equal');
    const zero = { clusterOf, clusters: 3, columns: [new Float64Array(4)] };
    expect(without(zero)).toEqual({ mean: 0, reason: 'all cluster means are equal', clusters: 3 });
  });

  it('nothing defined has no mean either', () => {
    const undefinedAll = { clusterOf, clusters: 3, columns: [Float64Array.of(nan, nan, nan, nan)] };
    expect(without(undefinedAll)).toEqual({ mean: null, reason: 'no cluster defines it', clusters: 0 });
    const empty = { clusterOf: new Uint32Array(0), clusters: 3, columns: [new Float64Array(0)] };
    expect(without(empty)).toEqual({ mean: null, reason: 'no cluster defines it', clusters: 0 });
  });

  it('resamples that drew no cluster that defines the column are counted and left out', () => {
    const values = new Float64Array(40).fill(nan);
    values[3] = 1;
    values[17] = 2;
    const clusterOf = Uint32Array.from({ length: 40 }, (_, at) => at);
    const estimate = only({ clusterOf, clusters: 40, columns: [values] }, 1, 5000);
    // (38/40)^40 = 12.9% of 5,000 resamples, standard deviation 24.
    expect(Math.abs(estimate.undefinedResamples - 643)).toBeLessThan(100);
    expect(estimate).toMatchObject({ mean: 1.5, interval: { lower: 1, upper: 2 }, clusters: 2, observations: 2 });
  });
});

it('refuses resamples, levels and samples that make no sense', () => {
  const sample = syntheticSample(10, 5, 1);
  for (const resamples of [0, -1, 1.5, nan]) {
    expect(() => pairedBootstrap(sample, { seed: 1, resamples })).toThrow(InvalidArgumentError);
  }
  for (const level of [0, 1, 95, nan]) {
    expect(() => pairedBootstrap(sample, { seed: 1, level })).toThrow(InvalidArgumentError);
  }
  expect(() => pairedBootstrap(sample, { seed: 0.5 })).toThrow('seed');
  expect(() => pairedBootstrap({ ...sample, columns: [] }, { seed: 1 })).toThrow('columns.length: got 0');
});
