import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { distinctPoints } from './distinctPoints.js';
import { type KMeansOptions, kMeans } from './kMeans.js';
import { cosineSilhouette } from './silhouette.js';
import type { Clustering, Points } from './types.js';

/**
 * How the number of clusters is found.
 * - `elbow`: the k at which the sum of squares WSS bends most, that is with the largest second difference
 *   WSS(k-1) - 2 WSS(k) + WSS(k+1) (temporal RAG, section 2.3). WSS is looked at one beyond either end of the range, so
 *   that the ends can be chosen too.
 * - `silhouette`: the k with the largest mean silhouette by cosine distance.
 *
 * The smaller k of equals.
 */
export type ClusterCountRule = 'elbow' | 'silhouette';

export const clusterCountRules: readonly ClusterCountRule[] = ['elbow', 'silhouette'];

/** Numbers of clusters that are tried. */
export interface ClusterCountRange {
  /** 2 by default. */
  readonly least?: number | undefined;
  /** 10 by default. */
  readonly most?: number | undefined;
}

/**
 * k-means with a number of clusters found from the points. There are never more clusters than distinct points, and one
 * cluster where these are fewer than `least`.
 *
 * @param points rows of length 1 for `silhouette`
 * @throws InvalidArgumentError for an empty range
 */
export async function kMeansOfChosenCount(
  points: Points,
  rule: ClusterCountRule,
  options: Omit<KMeansOptions, 'k'> & ClusterCountRange,
): Promise<Clustering> {
  const { least = 2, most = 10 } = options;
  if (!Number.isInteger(least) || !Number.isInteger(most) || least < 1 || most < least) {
    throw new InvalidArgumentError({
      argument: 'range of k',
      value: [least, most],
      expected: 'two integers from 1 up, the larger last',
    });
  }
  const found = new Map<number, Clustering>();
  const clusterInto = async (k: number): Promise<Clustering> => {
    const clustering = found.get(k) ?? (await kMeans(points, { ...options, k }));
    found.set(k, clustering);
    return clustering;
  };
  const largest = Math.min(most, distinctPoints(points).count);
  if (largest <= least) return clusterInto(largest);
  let best: Clustering | undefined;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let k = least; k <= largest; k++) {
    const clustering = await clusterInto(k);
    const score =
      rule === 'elbow'
        ? (k === 1 ? Number.NEGATIVE_INFINITY : (await clusterInto(k - 1)).inertia) -
          2 * clustering.inertia +
          (await clusterInto(k + 1)).inertia
        : cosineSilhouette(points, clustering.labels, clustering.clusters);
    if (score > bestScore) {
      best = clustering;
      bestScore = score;
    }
  }
  return best ?? clusterInto(least);
}
