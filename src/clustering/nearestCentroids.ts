import { type MatrixProduct, productErrorBound } from '../inference/MatrixProduct.js';
import { squaredDistance } from './squaredDistance.js';
import type { Points } from './types.js';

/** Centroids, row-major. */
export interface Centroids {
  readonly clusters: number;
  /** [clusters, dimension]. */
  readonly matrix: Float32Array;
}

/** Bound on the relative error of a squared distance in double precision, for rows of up to a thousand numbers or so. */
const doubleRounding = 1e-12;
/** Products held at a time. */
const productsPerBlock = 2 ** 18;

/**
 * Finds the nearest centroid of every point: the least squared distance in double precision, the lowest cluster of
 * equals. Single-precision products find it where the lead is larger than their error can be; elsewhere those within
 * reach are measured exactly. Hence labels do not depend on threads, blocks or machine.
 * @param norms [points] Euclidean length of each point
 * @param labels [points] receives the clusters; returns how many changed
 */
export async function assignToNearest(
  points: Points,
  norms: Float64Array,
  centroids: Centroids,
  labels: Uint32Array,
  product: MatrixProduct,
): Promise<number> {
  const { matrix, count, dimension } = points;
  const { clusters } = centroids;
  const squares = new Float64Array(clusters);
  let longest = 0;
  for (let cluster = 0; cluster < clusters; cluster++) {
    for (let i = cluster * dimension; i < (cluster + 1) * dimension; i++) {
      squares[cluster]! += centroids.matrix[i]! ** 2;
    }
    longest = Math.max(longest, squares[cluster]!);
  }
  longest = Math.sqrt(longest);

  const rowsPerBlock = Math.max(1, Math.min(count, Math.floor(productsPerBlock / clusters)));
  const buffer = new Float32Array(rowsPerBlock * clusters);
  let changed = 0;
  for (let start = 0; start < count; start += rowsPerBlock) {
    const end = Math.min(count, start + rowsPerBlock);
    const products = buffer.subarray(0, (end - start) * clusters);
    await product.multiply(matrix.subarray(start * dimension, end * dimension), centroids.matrix, dimension, products);
    for (let point = start; point < end; point++) {
      const offset = (point - start) * clusters;
      let label = 0;
      let least = Number.POSITIVE_INFINITY;
      let second = Number.POSITIVE_INFINITY;
      for (let cluster = 0; cluster < clusters; cluster++) {
        // |c|^2 - 2 x.c: the squared distance less |x|^2.
        const value = squares[cluster]! - 2 * products[offset + cluster]!;
        if (value < second) {
          if (value < least) {
            second = least;
            least = value;
            label = cluster;
          } else second = value;
        }
      }
      // Both values may be off by twice a product's error, and a little for double precision.
      const norm = norms[point]!;
      const reach = 4 * productErrorBound(dimension, norm, longest) + doubleRounding * (norm + longest) ** 2;
      if (second - least <= reach) {
        label = nearestExactly(points, point, centroids, (cluster) => {
          return squares[cluster]! - 2 * products[offset + cluster]! <= least + reach;
        });
      }
      if (labels[point] !== label) {
        labels[point] = label;
        changed++;
      }
    }
  }
  return changed;
}

function nearestExactly(
  { matrix, dimension }: Points,
  point: number,
  centroids: Centroids,
  withinReach: (cluster: number) => boolean,
): number {
  let label = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let cluster = 0; cluster < centroids.clusters; cluster++) {
    if (!withinReach(cluster)) continue;
    const distance = squaredDistance(matrix, point * dimension, centroids.matrix, cluster * dimension, dimension);
    if (distance < least) {
      least = distance;
      label = cluster;
    }
  }
  return label;
}
