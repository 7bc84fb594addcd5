import type { MatrixProduct } from '../inference/MatrixProduct.js';

/** Points to cluster. */
export interface Points {
  /** [count, dimension] row-major; not changed. */
  readonly matrix: Float32Array;
  readonly count: number;
  readonly dimension: number;
}

export interface ClusteringOptions {
  /** Clusters wanted; fewer come out where fewer points are distinct. */
  readonly k: number;
  /** Any integer; equal seeds give equal clusters on every machine and with any number of threads. */
  readonly seed: number;
  /** Starts, of which the best is kept (the first of equals). */
  readonly restarts?: number | undefined;
  /** Cluster by direction: points and centroids are scaled to length 1, and inertia is in those units. */
  readonly spherical?: boolean | undefined;
  /** Shared kernel; opened for the call where not given. */
  readonly product?: MatrixProduct | undefined;
}

export interface Clustering {
  /** Number of clusters: `k`, or the number of distinct points where that is less. None is empty. */
  readonly clusters: number;
  /** [count] cluster of each point. */
  readonly labels: Uint32Array;
  /** [clusters, dimension] row-major. */
  readonly centroids: Float32Array;
  /** Sum over points of the squared distance to the centroid of their cluster. */
  readonly inertia: number;
  /** Passes (Lloyd) or batches (mini-batch) of the kept start. */
  readonly iterations: number;
}

/** Copies the given rows of the points, one after another. */
export function gatherRows({ matrix, dimension }: Points, rows: readonly number[]): Float32Array {
  const gathered = new Float32Array(rows.length * dimension);
  for (const [i, row] of rows.entries()) {
    gathered.set(matrix.subarray(row * dimension, (row + 1) * dimension), i * dimension);
  }
  return gathered;
}
