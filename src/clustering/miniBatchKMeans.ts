import { distancesToOwn, lengthOf } from './centroidMeans.js';
import { clusterPoints, finishClustering, type Problem } from './clusterPoints.js';
import { distinctPoints } from './distinctPoints.js';
import { greedySeeds, type Seeds } from './greedySeeds.js';
import { latticePoints } from './latticePoints.js';
import { assignToNearest, type Centroids } from './nearestCentroids.js';
import { type Clustering, type ClusteringOptions, gatherRows, type Points } from './types.js';

export interface MiniBatchKMeansOptions extends ClusteringOptions {
  /** Sets of seeds to choose from, by how near they lie to a sample of the points; 3 by default. */
  readonly restarts?: number | undefined;
  /** Points drawn, with replacement, for one step; 1,024 by default. */
  readonly batchSize?: number | undefined;
  /** Bound on the steps; by default as many as show each point 100 times on average. */
  readonly maxBatches?: number | undefined;
  /** Stops after so many steps without a lower smoothed inertia; 10 by default. */
  readonly patience?: number | undefined;
}

/** Batches that the sample holds from which seeds are chosen. */
const seedingBatches = 3;

/**
 * Mini-batch k-means (Sculley 2010, algorithm 1): each drawn point pulls its nearest centroid towards itself with rate
 * 1 / (points that centroid has seen). Starts from the best of several sets of greedy k-means++ seeds over a sample; stops
 * early when the exponentially smoothed inertia of the batches no longer falls.
 * @throws InvalidArgumentError
 */
export function miniBatchKMeans(points: Points, options: MiniBatchKMeansOptions): Promise<Clustering> {
  const { restarts = 3, batchSize = 1024, patience = 10 } = options;
  const maxBatches = options.maxBatches ?? Math.ceil((100 * points.count) / batchSize);
  return clusterPoints(points, { ...options, restarts }, 'clustering/mini-batch k-means', async (problem) => {
    const centroids = { clusters: problem.clusters, matrix: await chooseSeeds(problem, restarts, batchSize) };
    const state = new MiniBatchState(problem, centroids);
    const smoothing = Math.min(1, (2 * batchSize) / (points.count + 1));
    let smoothed: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    let step = 0;
    for (let waiting = 0; step < maxBatches && waiting < patience; step++) {
      const inertia = await state.step(batchSize);
      smoothed = smoothed === undefined ? inertia : smoothed * (1 - smoothing) + inertia * smoothing;
      waiting = smoothed < least ? 0 : waiting + 1;
      least = Math.min(least, smoothed);
    }
    return finishClustering(problem, centroids, step);
  });
}

/** [clusters, dimension] the set of seeds with the least potential. */
async function chooseSeeds(problem: Problem, restarts: number, batchSize: number): Promise<Float32Array> {
  const { points, clusters, random, product } = problem;
  const size = seedingBatches * batchSize;
  const drawn = distinctPoints({
    matrix: gatherRows(points, drawPoints(problem, size)),
    count: size,
    dimension: points.dimension,
  });
  const sample = points.count <= size || drawn.count < clusters ? points : drawn;
  const lattice = latticePoints(sample);
  let best: Seeds | undefined;
  for (let start = 0; start < restarts; start++) {
    const seeds = await greedySeeds(lattice, sample.weights, clusters, random, product);
    if (best === undefined || seeds.potential < best.potential) best = seeds;
  }
  return gatherRows(sample, best!.points);
}

/** Distinct points drawn with replacement, each as likely as it has copies. */
function drawPoints({ points, random }: Problem, count: number): number[] {
  const population = points.groupOf.length;
  return Array.from({ length: count }, () => points.groupOf[Math.floor(random.unit() * population)]!);
}

class MiniBatchState {
  readonly #problem: Problem;
  readonly #centroids: Centroids;
  /** [clusters, dimension] centroids in double precision. */
  readonly #means: Float64Array;
  /** [clusters] points seen so far. */
  readonly #seen: Float64Array;

  constructor(problem: Problem, centroids: Centroids) {
    this.#problem = problem;
    this.#centroids = centroids;
    this.#means = Float64Array.from(centroids.matrix);
    this.#seen = new Float64Array(centroids.clusters);
  }

  /** One batch; returns its mean squared distance before the centroids moved. */
  async step(batchSize: number): Promise<number> {
    const { points, norms, spherical, product } = this.#problem;
    const { dimension } = points;
    const drawn = drawPoints(this.#problem, batchSize);
    const batch = { matrix: gatherRows(points, drawn), count: batchSize, dimension };
    const batchNorms = Float64Array.from(drawn, (point) => norms[point]!);
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
      const norm = spherical ? lengthOf(mean) : 1;
      if (norm === 0) continue;
      for (let i = 0; i < dimension; i++) this.#centroids.matrix[start + i] = mean[i]! / norm;
    }
  }
}
