import type { Centroids } from './nearestCentroids.js';
import { squaredDistance } from './squaredDistance.js';
import type { Points } from './types.js';

/**
 * Moves each centroid to the weighted mean of its points, summed in double precision in the order of the points. An
 * empty cluster's centroid stays where it is.
 * @param spherical scale means to length 1; a mean of zero has no direction and leaves the centroid where it is
 * @returns sum over centroids of the squared distance moved
 */
export function moveToMeans(
  points: Points,
  weights: Float64Array,
  labels: Uint32Array,
  centroids: Centroids,
  spherical: boolean,
): number {
  const { matrix, count, dimension } = points;
  const sums = new Float64Array(centroids.clusters * dimension);
  const totals = new Float64Array(centroids.clusters);
  for (let point = 0; point < count; point++) {
    const weight = weights[point]!;
    const from = point * dimension;
    const to = labels[point]! * dimension;
    totals[labels[point]!]! += weight;
    for (let i = 0; i < dimension; i++) sums[to + i]! += weight * matrix[from + i]!;
  }
  const before = Float32Array.from(centroids.matrix);
  let moved = 0;
  for (let cluster = 0; cluster < centroids.clusters; cluster++) {
    const start = cluster * dimension;
    const sum = sums.subarray(start, start + dimension);
    const divisor = spherical ? Math.sqrt(sum.reduce((square, value) => square + value * value, 0)) : totals[cluster]!;
    if (totals[cluster] === 0 || divisor === 0) continue;
    for (let i = 0; i < dimension; i++) centroids.matrix[start + i] = sum[i]! / divisor;
    moved += squaredDistance(centroids.matrix, start, before, start, dimension);
  }
  return moved;
}

/** Weighted squared distance of every point to the centroid of its cluster, [points]. */
export function distancesToOwn(points: Points, labels: Uint32Array, centroids: Centroids): Float64Array {
  const { matrix, dimension } = points;
  return Float64Array.from(labels, (label, point) =>
    squaredDistance(matrix, point * dimension, centroids.matrix, label * dimension, dimension),
  );
}

export function inertiaOf(distances: Float64Array, weights: Float64Array): number {
  let inertia = 0;
  for (let point = 0; point < distances.length; point++) inertia += distances[point]! * weights[point]!;
  return inertia;
}
