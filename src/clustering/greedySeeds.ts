import type { MatrixProduct } from '../inference/MatrixProduct.js';
import type { RandomSource } from '../random/RandomSource.js';
import type { LatticePoints } from './latticePoints.js';
import { gatherRows } from './types.js';

/** Starting points, and how well they alone would serve. */
export interface Seeds {
  /** Different points, in order of choice. */
  readonly points: readonly number[];
  /** Weighted sum of squared lattice distances to the nearest of them. */
  readonly potential: number;
}

/**
 * Chooses starting points by greedy k-means++ (Arthur and Vassilvitskii 2007, section 2 and its remark on greedy choice):
 * each next one is the best of 2 + floor(ln k) draws with probability proportional to weight * squared distance to the
 * nearest chosen point. On the lattice all distances and sums are exact integers, so the choice depends on nothing but
 * points and seed.
 * @param weights [points] copies that each point stands for
 * @returns `k` points (all, where there are fewer)
 */
export async function greedySeeds(
  points: LatticePoints,
  weights: Float64Array,
  k: number,
  random: RandomSource,
  product: MatrixProduct,
): Promise<Seeds> {
  const wanted = Math.min(k, points.count);
  const draws = 2 + Math.floor(Math.log(k));
  const seeds: number[] = [];
  const nearest = new Float64Array(points.count).fill(Number.POSITIVE_INFINITY);
  const cumulative = new Float64Array(points.count);
  const products = new Float32Array(points.count * draws);
  let potential = accumulate(new Float64Array(points.count).fill(1), weights, cumulative);
  let candidates = [firstAbove(cumulative, random.unit() * potential)];
  while (seeds.length < wanted) {
    const own = products.subarray(0, points.count * candidates.length);
    await product.multiply(points.matrix, gatherRows(points, candidates), points.dimension, own);
    const best = leastPotential(points, candidates, own, nearest, weights);
    seeds.push(candidates[best]!);
    lower(points, candidates, own, best, nearest);
    potential = accumulate(nearest, weights, cumulative);
    // All that is left coincides with a seed on the lattice, though it differs in single precision.
    if (potential === 0) break;
    candidates = Array.from({ length: draws }, () => firstAbove(cumulative, random.unit() * potential));
  }
  const chosen = new Set(seeds);
  for (let point = 0; seeds.length < wanted; point++) if (!chosen.has(point)) seeds.push(point);
  return { points: seeds, potential };
}

/** The candidate that would leave the least weighted sum of distances; the first of equals. */
function leastPotential(
  { count, squaredNorms }: LatticePoints,
  candidates: readonly number[],
  products: Float32Array,
  nearest: Float64Array,
  weights: Float64Array,
): number {
  const width = candidates.length;
  const potentials = new Float64Array(width);
  const squares = Float64Array.from(candidates, (candidate) => squaredNorms[candidate]!);
  for (let point = 0; point < count; point++) {
    const square = squaredNorms[point]!;
    const closest = nearest[point]!;
    const weight = weights[point]!;
    for (let i = 0; i < width; i++) {
      const distance = square + squares[i]! - 2 * products[point * width + i]!;
      potentials[i]! += weight * Math.min(distance, closest);
    }
  }
  return potentials.indexOf(Math.min(...potentials));
}

/** Takes candidate number `best` in: distances to the nearest chosen point fall where it is nearer. */
function lower(
  { count, squaredNorms }: LatticePoints,
  candidates: readonly number[],
  products: Float32Array,
  best: number,
  nearest: Float64Array,
): void {
  const width = candidates.length;
  const own = squaredNorms[candidates[best]!]!;
  for (let point = 0; point < count; point++) {
    const distance = squaredNorms[point]! + own - 2 * products[point * width + best]!;
    if (distance < nearest[point]!) nearest[point] = distance;
  }
}

/** Running sums of weight * distance; returns the last. */
function accumulate(nearest: Float64Array, weights: Float64Array, cumulative: Float64Array): number {
  let sum = 0;
  for (let point = 0; point < nearest.length; point++) {
    sum += weights[point]! * nearest[point]!;
    cumulative[point] = sum;
  }
  return sum;
}

/** First point whose running sum exceeds `value`: points that add nothing are never drawn. */
function firstAbove(cumulative: Float64Array, value: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (cumulative[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
