import type { Points } from './types.js';

/**
 * Points moved to the origin, scaled and rounded to integers so small that single-precision matrix products of any two
 * of them are exact, whatever the order of additions.
 *
 * With lengths of at most 4096, the absolute products of any two points add up to at most 4096^2 = 2^24 (Cauchy-Schwarz),
 * up to which single precision holds every integer. For unit vectors the grid is 12 bits fine.
 */
export interface LatticePoints extends Points {
  /** [count] squared lengths; integers up to 2^24. */
  readonly squaredNorms: Float64Array;
}

const longest = 4096;

export function latticePoints({ matrix, count, dimension }: Points): LatticePoints {
  const mean = new Float64Array(dimension);
  for (let i = 0; i < count * dimension; i++) mean[i % dimension]! += matrix[i]! / count;
  let greatest = 0;
  for (let point = 0; point < count; point++) {
    let square = 0;
    for (let i = 0; i < dimension; i++) square += (matrix[point * dimension + i]! - mean[i]!) ** 2;
    greatest = Math.max(greatest, square);
  }
  // Rounding moves each coordinate by at most a half.
  const scale = greatest === 0 ? 0 : (longest - Math.sqrt(dimension) / 2 - 1) / Math.sqrt(greatest);
  const lattice = new Float32Array(count * dimension);
  const squaredNorms = new Float64Array(count);
  for (let point = 0; point < count; point++) {
    let square = 0;
    for (let i = 0; i < dimension; i++) {
      const coordinate = Math.round((matrix[point * dimension + i]! - mean[i]!) * scale);
      lattice[point * dimension + i] = coordinate;
      square += coordinate * coordinate;
    }
    squaredNorms[point] = square;
  }
  return { matrix: lattice, count, dimension, squaredNorms };
}
