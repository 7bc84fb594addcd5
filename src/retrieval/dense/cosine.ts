/**
 * Inner product of two rows in double precision. The order of the additions is part of the definition (four partial
 * sums over every fourth column, added pairwise): products of single-precision numbers are exact in double precision,
 * so the result is the same on every machine.
 */
export function innerProduct(
  a: Float32Array,
  aStart: number,
  b: Float32Array,
  bStart: number,
  dimension: number,
): number {
  let sum0 = 0;
  let sum1 = 0;
  let sum2 = 0;
  let sum3 = 0;
  const whole = dimension & ~3;
  let i = 0;
  for (; i < whole; i += 4) {
    sum0 += a[aStart + i]! * b[bStart + i]!;
    sum1 += a[aStart + i + 1]! * b[bStart + i + 1]!;
    sum2 += a[aStart + i + 2]! * b[bStart + i + 2]!;
    sum3 += a[aStart + i + 3]! * b[bStart + i + 3]!;
  }
  for (; i < dimension; i++) sum0 += a[aStart + i]! * b[bStart + i]!;
  return sum0 + sum1 + (sum2 + sum3);
}

/** Cosine from an inner product and the two norms, both positive; rounding never carries it past 1. */
export function cosineOf(product: number, aNorm: number, bNorm: number): number {
  return Math.max(-1, Math.min(1, product / (aNorm * bNorm)));
}
