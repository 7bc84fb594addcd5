import type { Centroids } from './nearestCentroids.js';
import { squaredDistance } from './squaredDistance.js';
import type { Points } from './types.js';

/**
 * Sums of the points of each cluster, in double precision, kept up to date from one assignment to the next: a point that
 * stays costs nothing.
 */
export class ClusterSums {
  readonly #points: Points;
  readonly #weights: Float64Array;
  /** [clusters, dimension]. */
  readonly #sums: Float64Array;
  /** [clusters] weight of the points. */
  readonly #totals: Float64Array;
  /** [points] cluster that each point is counted in; `clusters` for none yet. */
  readonly #labels: Uint32Array;
  readonly #clusters: number;

  constructor(points: Points, weights: Float64Array, clusters: number) {
    this.#points = points;
    this.#weights = weights;
    this.#clusters = clusters;
    this.#sums = new Float64Array(clusters * points.dimension);
    this.#totals = new Float64Array(clusters);
    this.#labels = new Uint32Array(points.count).fill(clusters);
  }

  /** Counts every point in the cluster that `labels` gives it. */
  update(labels: Uint32Array): void {
    for (let point = 0; point < labels.length; point++) {
      const before = this.#labels[point]!;
      const after = labels[point]!;
      if (before === after) continue;
      if (before < this.#clusters) this.#add(point, before, -this.#weights[point]!);
      this.#add(point, after, this.#weights[point]!);
      this.#labels[point] = after;
    }
  }

  /**
   * Moves each centroid to the mean of its points. An empty cluster's centroid stays where it is.
   * @param spherical scale means to length 1; a mean of zero has no direction and leaves the centroid where it is
   * @returns sum over centroids of the squared distance moved
   */
  moveToMeans(centroids: Centroids, spherical: boolean): number {
    const { dimension } = this.#points;
    const before = Float32Array.from(centroids.matrix);
    let moved = 0;
    for (let cluster = 0; cluster < this.#clusters; cluster++) {
      const start = cluster * dimension;
      const sum = this.#sums.subarray(start, start + dimension);
      const divisor = spherical ? lengthOf(sum) : this.#totals[cluster]!;
      if (this.#totals[cluster] === 0 || divisor === 0) continue;
      for (let i = 0; i < dimension; i++) centroids.matrix[start + i] = sum[i]! / divisor;
      moved += squaredDistance(centroids.matrix, start, before, start, dimension);
    }
    return moved;
  }

  #add(point: number, cluster: number, weight: number): void {
    const { matrix, dimension } = this.#points;
    const from = point * dimension;
    const to = cluster * dimension;
    this.#totals[cluster]! += weight;
    for (let i = 0; i < dimension; i++) this.#sums[to + i]! += weight * matrix[from + i]!;
  }
}

/** Euclidean length. */
export function lengthOf(vector: Float64Array): number {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!;
  return Math.sqrt(square);
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
