import { distancesToOwn } from './centroidMeans.js';
import { clusterPoints, type Problem } from './clusterPoints.js';
import { assignToNearest, type Centroids } from './nearestCentroids.js';
import type { Clustering, ClusteringOptions, Points } from './types.js';

export interface MiniBatchKMeansOptions extends ClusteringOptions {
  /** 3 by default. */
  readonly restarts?: number | undefined;
  /** Points drawn, with replacement, for one step; 1,024 by default. */
  readonly batchSize?: number | undefined;
  /** Bound on the steps; by default as many as show each point 100 times on average. */
  readonly maxBatches?: number | undefined;
  /** Stops after so many steps without a lower smoothed inertia; 10 by default. */
  readonly patience?: number | undefined;
}

/**
 * Mini-batch k-means (Sculley 2010, algorithm 1): each drawn point pulls its nearest centroid towards itself with rate
 * 1 / (points that centroid has seen). Seeds, restarts and the last assignment are those of `kMeans`. Stops early when the
 * exponentially smoothed inertia of the batches no longer falls.
 * @throws InvalidArgumentError
 */
export function miniBatchKMeans(points: Points, options: MiniBatchKMeansOptions): Promise<Clustering> {
  const { restarts = 3, batchSize = 1024, patience = 10 } = options;
  const maxBatches = options.maxBatches ?? Math.ceil((100 * points.count) / batchSize);
  return clusterPoints(
    points,
    { ...options, restarts },
    'clustering/mini-batch k-means',
    async (problem, centroids) => {
      const state = new MiniBatchState(problem, centroids, points.count);
      const smoothing = Math.min(1, (2 * batchSize) / (points.count + 1));
      let smoothed: number | undefined;
      let least = Number.POSITIVE_INFINITY;
      let waiting = 0;
      for (let step = 1; step <= maxBatches; step++) {
        const inertia = await state.step(batchSize);
        smoothed = smoothed === undefined ? inertia : smoothed * (1 - smoothing) + inertia * smoothing;
        if (smoothed < least) {
          least = smoothed;
          waiting = 0;
        } else if (++waiting >= patience) return step;
      }
      return maxBatches;
    },
  );
}

class MiniBatchState {
  readonly #problem: Problem;
  readonly #centroids: Centroids;
  /** Points to draw from, copies included. */
  readonly #population: number;
  /** [clusters, dimension] centroids in double precision. */
  readonly #means: Float64Array;
  /** [clusters] points seen so far. */
  readonly #seen: Float64Array;

  constructor(problem: Problem, centroids: Centroids, population: number) {
    this.#problem = problem;
    this.#centroids = centroids;
    this.#population = population;
    this.#means = Float64Array.from(centroids.matrix);
    this.#seen = new Float64Array(centroids.clusters);
  }

  /** One batch; returns its mean squared distance before the centroids moved. */
  async step(batchSize: number): Promise<number> {
    const { points, norms, spherical, product } = this.#problem;
    const { dimension } = points;
    const batch = { matrix: new Float32Array(batchSize * dimension), count: batchSize, dimension };
    const batchNorms = new Float64Array(batchSize);
    for (let i = 0; i < batchSize; i++) {
      const point = points.groupOf[Math.floor(this.#problem.random.unit() * this.#population)]!;
      batch.matrix.set(points.matrix.subarray(point * dimension, (point + 1) * dimension), i * dimension);
      batchNorms[i] = norms[point]!;
    }
    const labels = new Uint32Array(batchSize);
    await assignToNearest(batch, batchNorms, this.#centroids, labels, product);
    const distances = distancesToOwn(batch, labels, this.#centroids);
    for (const [i, cluster] of labels.entries()) this.#pull(batch.matrix, i * dimension, cluster);
    this.#publish(spherical);
    return distances.reduce((sum, distance) => sum + distance, 0) / batchSize;
  }

  #pull(matrix: Float32Array, start: number, cluster: number): void {
    const { dimension } = this.#problem.points;
    const rate = 1 / ++this.#seen[cluster]!;
    const mean = cluster * dimension;
    for (let i = 0; i < dimension; i++) {
      this.#means[mean + i]! += rate * (matrix[start + i]! - this.#means[mean + i]!);
    }
  }

  /** Rounds the means to the centroids that points are compared with. */
  #publish(spherical: boolean): void {
    const { dimension } = this.#problem.points;
    for (let start = 0; start < this.#means.length; start += dimension) {
      const mean = this.#means.subarray(start, start + dimension);
      const norm = spherical ? Math.sqrt(mean.reduce((square, value) => square + value * value, 0)) : 1;
      if (norm === 0) continue;
      for (let i = 0; i < dimension; i++) this.#centroids.matrix[start + i] = mean[i]! / norm;
    }
  }
}
