/**
 * Inner product of two rows in double precision, added in column order. Products of single-precision numbers are exact
 * in double precision; with the order fixed the result is the same on every machine, for either precision.
 */
export function innerProduct(
  a: Float32Array | Float64Array,
  aStart: number,
  b: Float32Array | Float64Array,
  bStart: number,
  dimension: number,
): number {
  let sum = 0;
  for (let i = 0; i < dimension; i++) sum += a[aStart + i]! * b[bStart + i]!;
  return sum;
}

/**
 * `innerProduct` of one vector with many rows of a matrix, to the bit. Four rows go at a time: their additions do not
 * wait for one another, and neither do their trips to memory, which is most of the time for rows far apart.
 * @param vector [dimension]
 * @param into [rows.length] receives the products
 */
export function innerProducts(
  vector: Float64Array,
  matrix: Float32Array,
  rows: Uint32Array,
  dimension: number,
  into: Float64Array,
): void {
  const whole = rows.length & ~3;
  let at = 0;
  for (; at < whole; at += 4) {
    const start0 = rows[at]! * dimension;
    const start1 = rows[at + 1]! * dimension;
    const start2 = rows[at + 2]! * dimension;
    const start3 = rows[at + 3]! * dimension;
    let sum0 = 0;
    let sum1 = 0;
    let sum2 = 0;
    let sum3 = 0;
    for (let i = 0; i < dimension; i++) {
      const value = vector[i]!;
      sum0 += value * matrix[start0 + i]!;
      sum1 += value * matrix[start1 + i]!;
      sum2 += value * matrix[start2 + i]!;
      sum3 += value * matrix[start3 + i]!;
    }
    into[at] = sum0;
    into[at + 1] = sum1;
    into[at + 2] = sum2;
    into[at + 3] = sum3;
  }
  for (; at < rows.length; at++) {
    const start = rows[at]! * dimension;
    let sum = 0;
    for (let i = 0; i < dimension; i++) sum += vector[i]! * matrix[start + i]!;
    into[at] = sum;
  }
}

/** Cosine from an inner product and the two norms, both positive; rounding never carries it past 1. */
export function cosineOf(product: number, aNorm: number, bNorm: number): number {
  return Math.max(-1, Math.min(1, product / (aNorm * bNorm)));
}
