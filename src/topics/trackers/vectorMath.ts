import { innerProduct } from '../../retrieval/dense/cosine.js';

/** Adds a row of a matrix, `weight` times, to a sum. */
export function addRow(sum: Float64Array, matrix: Float32Array, start: number, weight = 1): void {
  for (let i = 0; i < sum.length; i++) sum[i]! += weight * matrix[start + i]!;
}

/** Writes a sum, scaled to length 1, as a row of a matrix; a sum of zero leaves the row as it is. */
export function writeDirection(sum: Float64Array, matrix: Float32Array, start: number): void {
  const length = Math.sqrt(innerProduct(sum, 0, sum, 0, sum.length));
  if (length === 0) return;
  for (let i = 0; i < sum.length; i++) matrix[start + i] = sum[i]! / length;
}

/** Cosines of the rows of two matrices whose rows have length 1, or 0: [rows of a, rows of b] row-major. */
export function rowCosines(a: Float32Array, b: Float32Array, dimension: number): Float64Array {
  const [rows, columns] = [a.length / dimension, b.length / dimension];
  const cosines = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      cosines[row * columns + column] = innerProduct(a, row * dimension, b, column * dimension, dimension);
    }
  }
  return cosines;
}
