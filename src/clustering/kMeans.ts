import { ClusterSums } from './centroidMeans.js';
import { clusterPoints, finishClustering, type Problem } from './clusterPoints.js';
import { repairEmptyClusters } from './emptyClusters.js';
import { greedySeeds } from './greedySeeds.js';
import { latticePoints } from './latticePoints.js';
import { assignToNearest, type Centroids } from './nearestCentroids.js';
import { type Clustering, type ClusteringOptions, gatherRows, type Points } from './types.js';

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
  return clusterPoints(points, { ...options, restarts }, 'clustering/k-means', async (problem) => {
    const { points: distinct, clusters, random, product } = problem;
    const still = tolerance * meanVariance(distinct, distinct.weights);
    const lattice = latticePoints(distinct);
    let best: Clustering | undefined;
    for (let start = 0; start < restarts; start++) {
      const seeds = await greedySeeds(lattice, distinct.weights, clusters, random, product);
      const centroids = { clusters, matrix: gatherRows(distinct, seeds.points) };
      const iterations = await iterate(problem, centroids, maxIterations, still);
      const found = await finishClustering(problem, centroids, iterations);
      if (best === undefined || found.inertia < best.inertia) best = found;
    }
    return best!;
  });
}

/**
 * Lloyd's iteration, until no label changes or the centroids hardly move.
 * @returns number of iterations
 */
async function iterate(problem: Problem, centroids: Centroids, maxIterations: number, still: number): Promise<number> {
  const { points, norms, clusters, spherical, product } = problem;
  const labels = new Uint32Array(points.count).fill(clusters);
  const sums = new ClusterSums(points, points.weights, clusters);
  for (let iteration = 1; iteration <= maxIterations; iteration++) {
    const changed = await assignToNearest(points, norms, centroids, labels, product);
    if (changed === 0) return iteration;
    repairEmptyClusters(points, labels, centroids);
    sums.update(labels);
    if (sums.moveToMeans(centroids, spherical) <= still) return iteration;
  }
  return maxIterations;
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
