import { moveToMeans } from './centroidMeans.js';
import { clusterPoints } from './clusterPoints.js';
import { repairEmptyClusters } from './emptyClusters.js';
import { assignToNearest } from './nearestCentroids.js';
import type { Clustering, ClusteringOptions, Points } from './types.js';

export interface KMeansOptions extends ClusteringOptions {
  /** 10 by default. */
  readonly restarts?: number | undefined;
  /** 300 by default. */
  readonly maxIterations?: number | undefined;
  /**
   * Stops once the centroids move, in sum of squares, by no more than this share of the points' mean variance per column;
   * 1e-4 by default, 0 to go on until no label changes.
   */
  readonly tolerance?: number | undefined;
}

/**
 * k-means by Lloyd's algorithm (Lloyd 1982) from greedy k-means++ seeds, the best of several starts.
 *
 * A cluster that loses all its points takes the point farthest from its centroid. There are never more clusters than
 * distinct points.
 * @throws InvalidArgumentError
 */
export function kMeans(points: Points, options: KMeansOptions): Promise<Clustering> {
  const { restarts = 10, maxIterations = 300, tolerance = 1e-4 } = options;
  return clusterPoints(points, { ...options, restarts }, 'clustering/k-means', async (problem, centroids, labels) => {
    const { points: distinct, norms, spherical, product } = problem;
    const still = tolerance * meanVariance(distinct, distinct.weights);
    labels.fill(problem.clusters);
    for (let iteration = 1; iteration <= maxIterations; iteration++) {
      const changed = await assignToNearest(distinct, norms, centroids, labels, product);
      if (changed === 0) return iteration;
      repairEmptyClusters(distinct, labels, centroids);
      if (moveToMeans(distinct, distinct.weights, labels, centroids, spherical) <= still) return iteration;
    }
    return maxIterations;
  });
}

/** Mean over columns of the points' variance. */
function meanVariance({ matrix, count, dimension }: Points, weights: Float64Array): number {
  const sums = new Float64Array(dimension);
  const squares = new Float64Array(dimension);
  let total = 0;
  for (let point = 0; point < count; point++) {
    const weight = weights[point]!;
    total += weight;
    for (let i = 0; i < dimension; i++) {
      const value = matrix[point * dimension + i]!;
      sums[i]! += weight * value;
      squares[i]! += weight * value * value;
    }
  }
  let variance = 0;
  for (let i = 0; i < dimension; i++) variance += squares[i]! / total - (sums[i]! / total) ** 2;
  return Math.max(0, variance / dimension);
}
