import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

/** What `scaleRowsToUnitLength` found. */
export interface RowNorms {
  /** [rows] length of each row after scaling: 1 within single precision, or 0 for a zero row. */
  readonly norms: Float64Array;
  /** Rows of zeros: they have no direction and no cosine. */
  readonly zeroRows: number;
}

/**
 * Scales each row of a [rows, dimension] matrix to length 1, in place. Lengths are computed in double precision, in
 * column order, so that the result is the same on every machine. Zero rows stay zero and are counted.
 * @throws InvalidArgumentError when a row holds a NaN or an infinity
 */
export function scaleRowsToUnitLength(matrix: Float32Array, dimension: number): RowNorms {
  const rows = matrix.length / dimension;
  const norms = new Float64Array(rows);
  let zeroRows = 0;
  for (let row = 0; row < rows; row++) {
    const norm = rowNorm(matrix, row * dimension, dimension);
    if (!Number.isFinite(norm)) {
      throw new InvalidArgumentError({ argument: `vector of row ${row}`, value: norm, expected: 'finite numbers' });
    }
    if (norm === 0) {
      zeroRows++;
      continue;
    }
    for (let i = row * dimension; i < (row + 1) * dimension; i++) matrix[i] = matrix[i]! / norm;
    norms[row] = rowNorm(matrix, row * dimension, dimension);
  }
  return { norms, zeroRows };
}

/** Euclidean length of the row that starts at `start`; squares of single-precision numbers cannot overflow a double. */
export function rowNorm(matrix: Float32Array, start: number, dimension: number): number {
  let sum = 0;
  for (let i = start; i < start + dimension; i++) sum += matrix[i]! * matrix[i]!;
  return Math.sqrt(sum);
}
