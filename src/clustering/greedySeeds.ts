import type { MatrixProduct } from '../inference/MatrixProduct.js';
import type { RandomSource } from '../random/RandomSource.js';
import type { LatticePoints } from './latticePoints.js';

/**
 * Chooses starting points by greedy k-means++ (Arthur and Vassilvitskii 2007, section 2 and its remark on greedy choice):
 * each next one is the best of 2 + floor(ln k) draws with probability proportional to weight * squared distance to the
 * nearest chosen point. On the lattice all distances and sums are exact integers, so the choice depends on nothing but
 * points and seed.
 * @param weights [points] copies that each point stands for
 * @returns `k` different points (all, where there are fewer)
 */
export async function greedySeeds(
  points: LatticePoints,
  weights: Float64Array,
  k: number,
  random: RandomSource,
  product: MatrixProduct,
): Promise<number[]> {
  const seeds: number[] = [];
  const draws = 2 + Math.floor(Math.log(k));
  const nearest = new Float64Array(points.count).fill(Number.POSITIVE_INFINITY);
  const cumulative = new Float64Array(points.count);
  let candidates = [drawUniform(weights, random)];
  while (seeds.length < Math.min(k, points.count)) {
    const distances = await distancesTo(points, candidates, product);
    const best = leastPotential(distances, nearest, weights);
    seeds.push(candidates[best]!);
    lower(nearest, distances.subarray(best * points.count, (best + 1) * points.count));
    const potential = accumulate(nearest, weights, cumulative);
    // All that is left coincides with a seed on the lattice, though it differs in single precision.
    if (potential === 0) break;
    candidates = Array.from({ length: draws }, () => firstAbove(cumulative, random.unit() * potential));
  }
  const chosen = new Set(seeds);
  for (let point = 0; seeds.length < Math.min(k, points.count); point++) if (!chosen.has(point)) seeds.push(point);
  return seeds;
}

/** [candidates, points] squared distances, exact. */
async function distancesTo(points: LatticePoints, candidates: readonly number[], product: MatrixProduct) {
  const { matrix, count, dimension, squaredNorms } = points;
  const gathered = new Float32Array(candidates.length * dimension);
  for (const [i, candidate] of candidates.entries()) {
    gathered.set(matrix.subarray(candidate * dimension, (candidate + 1) * dimension), i * dimension);
  }
  const products = new Float32Array(candidates.length * count);
  await product.multiply(gathered, matrix, dimension, products);
  const distances = new Float64Array(products.length);
  for (const [i, candidate] of candidates.entries()) {
    const own = squaredNorms[candidate]!;
    for (let point = 0; point < count; point++) {
      distances[i * count + point] = own + squaredNorms[point]! - 2 * products[i * count + point]!;
    }
  }
  return distances;
}

/** The candidate that would leave the least weighted sum of distances; the first of equals. */
function leastPotential(distances: Float64Array, nearest: Float64Array, weights: Float64Array): number {
  const count = nearest.length;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let start = 0; start < distances.length; start += count) {
    let potential = 0;
    for (let point = 0; point < count; point++) {
      const distance = distances[start + point]!;
      const closer = nearest[point]!;
      potential += weights[point]! * Math.min(distance, closer);
    }
    if (potential < least) {
      least = potential;
      best = start / count;
    }
  }
  return best;
}

function lower(nearest: Float64Array, distances: Float64Array): void {
  for (let point = 0; point < nearest.length; point++) {
    if (distances[point]! < nearest[point]!) nearest[point] = distances[point]!;
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

function drawUniform(weights: Float64Array, random: RandomSource): number {
  const cumulative = new Float64Array(weights.length);
  const total = accumulate(new Float64Array(weights.length).fill(1), weights, cumulative);
  return firstAbove(cumulative, random.unit() * total);
}
