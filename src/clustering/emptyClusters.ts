import { distancesToOwn } from './centroidMeans.js';
import type { Centroids } from './nearestCentroids.js';
import type { Points } from './types.js';

/**
 * Gives each empty cluster the point that lies farthest from its centroid (the first of equals), as centroid and only
 * member. All points being distinct and no fewer than clusters, such a point lies off its centroid and does not leave
 * its cluster empty.
 * @returns whether any cluster was empty
 */
export function repairEmptyClusters(points: Points, labels: Uint32Array, centroids: Centroids): boolean {
  const members = new Uint32Array(centroids.clusters);
  for (const label of labels) members[label]!++;
  if (!members.includes(0)) return false;
  const distances = distancesToOwn(points, labels, centroids);
  for (let cluster = 0; cluster < centroids.clusters; cluster++) {
    if (members[cluster] !== 0) continue;
    let farthest = -1;
    for (let point = 0; point < points.count; point++) {
      if (members[labels[point]!]! < 2) continue;
      if (farthest < 0 || distances[point]! > distances[farthest]!) farthest = point;
    }
    members[labels[farthest]!]!--;
    members[cluster] = 1;
    labels[farthest] = cluster;
    distances[farthest] = 0;
    const { matrix, dimension } = points;
    centroids.matrix.set(matrix.subarray(farthest * dimension, (farthest + 1) * dimension), cluster * dimension);
  }
  return true;
}
