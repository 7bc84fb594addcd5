/** A percentile interval, both ends included. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Quantile of sorted values with linear interpolation between the two nearest order statistics: numpy's default method
 * (`linear`, type 7 of Hyndman and Fan 1996), to the last bit.
 *
 * @param sorted ascending, at least one value, no NaN
 * @param share in [0, 1]
 */
export function quantileOfSorted(sorted: Float64Array, share: number): number {
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  const weight = position - below;
  // Interpolating from the nearer end, as numpy does, keeps the result monotone in `share`.
  return weight < 0.5 ? low + (high - low) * weight : high - (high - low) * (1 - weight);
}

/**
 * Percentile interval of resampled values, from (1 - level) / 2 to (1 + level) / 2. NaN marks a resample that does not
 * define the value: it is left out and counted.
 *
 * @returns a null interval when no resample defines the value
 */
export function percentileInterval(
  resampled: Float64Array,
  level: number,
): { interval: Interval | null; undefinedResamples: number } {
  const sorted = resampled.slice().sort();
  // A typed array sorts NaN last.
  let defined = sorted.length;
  while (defined > 0 && Number.isNaN(sorted[defined - 1])) defined--;
  const values = sorted.subarray(0, defined);
  const tail = (1 - level) / 2;
  const interval =
    defined === 0 ? null : { lower: quantileOfSorted(values, tail), upper: quantileOfSorted(values, 1 - tail) };
  return { interval, undefinedResamples: sorted.length - defined };
}

/**
 * Whether all values that are defined (not NaN) are equal, within 1e-12 of the largest: equal differences of rounded
 * numbers differ in their last bits, and an interval as wide as that says nothing.
 */
export function allEqual(values: Float64Array): boolean {
  let least = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > largest) largest = value;
  }
  return largest - least <= 1e-12 * Math.max(Math.abs(least), Math.abs(largest));
}
