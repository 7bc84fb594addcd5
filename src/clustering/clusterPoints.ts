import { rowNorm, scaleRowsToUnitLength } from '../embedding/unitRows.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MatrixProduct } from '../inference/MatrixProduct.js';
import { RandomSource } from '../random/RandomSource.js';
import { distancesToOwn, inertiaOf } from './centroidMeans.js';
import { type DistinctPoints, distinctPoints } from './distinctPoints.js';
import { repairEmptyClusters } from './emptyClusters.js';
import { assignToNearest, type Centroids } from './nearestCentroids.js';
import type { Clustering, ClusteringOptions, Points } from './types.js';

/** What one start works on: distinct points, each weighted by its copies. */
export interface Problem {
  readonly points: DistinctPoints;
  /** [points] Euclidean lengths. */
  readonly norms: Float64Array;
  readonly clusters: number;
  readonly spherical: boolean;
  readonly random: RandomSource;
  readonly product: MatrixProduct;
}

/** Beyond this length squares come near the largest single-precision number. */
const longestPoint = 1e18;

/**
 * The frame that the k-means algorithms share: checks, equal points taken together, and labels for all of them.
 * @param purpose names the random numbers
 * @param run clusters the distinct points
 * @throws InvalidArgumentError
 */
export async function clusterPoints(
  points: Points,
  options: ClusteringOptions & { restarts: number },
  purpose: string,
  run: (problem: Problem) => Promise<Clustering>,
): Promise<Clustering> {
  const { k, seed, restarts, spherical = false } = options;
  checkArguments(points, k, restarts);
  const random = new RandomSource(seed, purpose);
  const distinct = distinctPoints(spherical ? unitPoints(points) : points);
  const norms = lengthsOf(distinct);
  const clusters = Math.min(k, distinct.count);
  const product = options.product ?? (await MatrixProduct.open());
  try {
    const found = await run({ points: distinct, norms, clusters, spherical, random, product });
    return { ...found, labels: distinct.groupOf.map((group) => found.labels[group]!) };
  } finally {
    if (options.product === undefined) await product.close();
  }
}

/** Labels every point with its nearest centroid, in such a way that no cluster is empty. */
export async function finishClustering(
  { points, norms, clusters, product }: Problem,
  centroids: Centroids,
  iterations: number,
): Promise<Clustering> {
  const labels = new Uint32Array(points.count);
  // Each round that has something to repair lowers the inertia, so this ends.
  do await assignToNearest(points, norms, centroids, labels, product);
  while (repairEmptyClusters(points, labels, centroids));
  const inertia = inertiaOf(distancesToOwn(points, labels, centroids), points.weights);
  return { clusters, labels, centroids: centroids.matrix, inertia, iterations };
}

function unitPoints(points: Points): Points {
  const matrix = Float32Array.from(points.matrix);
  const { norms } = scaleRowsToUnitLength(matrix, points.dimension);
  const zero = norms.indexOf(0);
  if (zero >= 0) {
    throw new InvalidArgumentError({
      argument: `vector of row ${zero}`,
      value: 0,
      expected: 'a vector with a direction, since clustering is spherical',
    });
  }
  return { ...points, matrix };
}

function lengthsOf({ matrix, count, dimension }: Points): Float64Array {
  const norms = new Float64Array(count);
  for (let point = 0; point < count; point++) {
    norms[point] = rowNorm(matrix, point * dimension, dimension);
    if (!(norms[point]! < longestPoint)) {
      throw new InvalidArgumentError({
        argument: `vector of row ${point}`,
        value: norms[point],
        expected: `a finite length below ${longestPoint}`,
      });
    }
  }
  return norms;
}

function checkArguments({ matrix, count, dimension }: Points, k: number, restarts: number): void {
  const check = (argument: string, value: number) => {
    if (Number.isInteger(value) && value >= 1) return;
    throw new InvalidArgumentError({ argument, value, expected: 'an integer of at least 1' });
  };
  check('count', count);
  check('dimension', dimension);
  check('k', k);
  check('restarts', restarts);
  if (matrix.length !== count * dimension) {
    throw new InvalidArgumentError({
      argument: 'matrix',
      value: matrix.length,
      expected: `${count} x ${dimension} numbers`,
    });
  }
}
