import type { Points } from './types.js';

/**
 * Mean silhouette of a clustering by cosine distance (Rousseeuw 1987): over points, (b - a) / max(a, b), where a is the
 * mean distance to the other points of the own cluster and b the least mean distance to those of another; 0 for a point
 * alone in its cluster.
 *
 * The points have length 1, so the mean distance of x to the points of a cluster is 1 - x.(their sum) / (their number):
 * exact in points * clusters * dimension steps, where the textbook's way takes points^2 * dimension.
 *
 * @param points rows of length 1
 * @param labels [points] clusters in 0..clusters-1
 * @returns NaN when there is one cluster only: no other cluster, no silhouette
 */
export function cosineSilhouette({ matrix, count, dimension }: Points, labels: Uint32Array, clusters: number): number {
  if (clusters < 2) return Number.NaN;
  const sums = new Float64Array(clusters * dimension);
  const sizes = new Float64Array(clusters);
  for (let point = 0; point < count; point++) {
    const cluster = labels[point]!;
    sizes[cluster]!++;
    for (let i = 0; i < dimension; i++) sums[cluster * dimension + i]! += matrix[point * dimension + i]!;
  }
  let total = 0;
  for (let point = 0; point < count; point++) {
    const own = labels[point]!;
    if (sizes[own] === 1) continue;
    let within = 0;
    let nearest = Number.POSITIVE_INFINITY;
    for (let cluster = 0; cluster < clusters; cluster++) {
      let product = 0;
      for (let i = 0; i < dimension; i++) product += matrix[point * dimension + i]! * sums[cluster * dimension + i]!;
      // The point itself is in its own sum, at distance 0.
      if (cluster === own) within = (sizes[own]! - product) / (sizes[own]! - 1);
      else if (sizes[cluster]! > 0) nearest = Math.min(nearest, 1 - product / sizes[cluster]!);
    }
    const scale = Math.max(within, nearest);
    if (scale > 0) total += (nearest - within) / scale;
  }
  return total / count;
}
