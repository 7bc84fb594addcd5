/** Squared Euclidean distance of two rows in double precision, in column order. */
export function squaredDistance(
  a: Float32Array,
  aStart: number,
  b: Float32Array,
  bStart: number,
  dimension: number,
): number {
  let even = 0;
  let odd = 0;
  const whole = dimension & ~1;
  let i = 0;
  for (; i < whole; i += 2) {
    const first = a[aStart + i]! - b[bStart + i]!;
    const second = a[aStart + i + 1]! - b[bStart + i + 1]!;
    even += first * first;
    odd += second * second;
  }
  if (i < dimension) even += (a[aStart + i]! - b[bStart + i]!) ** 2;
  return even + odd;
}
