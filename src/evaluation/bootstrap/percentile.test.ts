import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allEqual, percentileInterval, quantileOfSorted } from './percentile.js';

interface Fixture {
  shares: number[];
  cases: { sorted: number[]; quantiles: number[] }[];
}

const fixture = JSON.parse(
  readFileSync(new URL('testing/percentile.fixture.json', import.meta.url), 'utf8'),
) as Fixture;

describe('percentiles', () => {
  it('equal numpy.quantile to the last bit (fixture by numpy)', () => {
    for (const { sorted, quantiles } of fixture.cases) {
      const values = Float64Array.from(sorted);
      expect(fixture.shares.map((share) => quantileOfSorted(values, share))).toEqual(quantiles);
    }
  });

  it('leave undefined resamples out of an interval and count them', () => {
    const resampled = Float64Array.of(Number.NaN, 3, 1, Number.NaN, 2);
    expect(percentileInterval(resampled, 0.5)).toEqual({ interval: { lower: 1.5, upper: 2.5 }, undefinedResamples: 2 });
    expect(resampled[1]).toBe(3);
    expect(percentileInterval(Float64Array.of(Number.NaN), 0.5)).toEqual({ interval: null, undefinedResamples: 1 });
  });

  it('call values equal that differ by rounding alone', () => {
    expect(5 / 6 - 4 / 6).not.toBe(2 / 6 - 1 / 6);
    expect(allEqual(Float64Array.of(5 / 6 - 4 / 6, Number.NaN, 2 / 6 - 1 / 6))).toBe(true);
    expect(allEqual(Float64Array.of(0.1, 0.1 + 1e-9))).toBe(false);
    expect(allEqual(Float64Array.of(0, 0))).toBe(true);
  });
});
