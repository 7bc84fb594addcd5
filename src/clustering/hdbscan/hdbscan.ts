import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Points } from '../types.js';
import { type CondensedCluster, condenseTree } from './condensedTree.js';
import { coreDistances, minimumSpanningTree } from './mutualReachability.js';

/** Parameters of HDBSCAN. */
export interface HdbscanOptions {
  /** Smallest group that is a cluster; 5 by default. */
  readonly minimumClusterSize?: number | undefined;
  /** Neighbours that make a point dense, itself included; `minimumClusterSize` by default. */
  readonly minimumSamples?: number | undefined;
}

export interface HdbscanClustering {
  readonly clusters: number;
  /** [points] cluster, or -1 for noise. Clusters are numbered by their first point. */
  readonly labels: Int32Array;
}

/**
 * HDBSCAN* with excess-of-mass selection (Campello, Moulavi and Sander 2013): clusters of varying density, their number
 * found, and noise that belongs to none. The set of all points is never a cluster. Euclidean; on rows of length 1 that is
 * the order of cosine distance.
 *
 * Exact, in time proportional to the square of the points and memory linear in them: for slices, not for collections.
 * @throws InvalidArgumentError
 */
export function hdbscan(points: Points, options: HdbscanOptions = {}): HdbscanClustering {
  const { minimumClusterSize = 5, minimumSamples = minimumClusterSize } = options;
  for (const [argument, value, least] of [
    ['minimumClusterSize', minimumClusterSize, 2],
    ['minimumSamples', minimumSamples, 1],
  ] as const) {
    if (Number.isInteger(value) && value >= least) continue;
    throw new InvalidArgumentError({ argument, value, expected: `an integer of at least ${least}` });
  }
  const labels = new Int32Array(points.count).fill(-1);
  if (points.count < 2) return { clusters: 0, labels };
  const edges = minimumSpanningTree(points, coreDistances(points, minimumSamples));
  const clusters = condenseTree(edges, minimumClusterSize);
  const selected = selectByExcessOfMass(clusters);
  for (const [index, { points: members }] of clusters.entries()) {
    for (const member of members) labels[member] = selected[index]!;
  }
  return numberByFirstPoint(labels);
}

/** Sums in another order differ by this share at most; a cluster that is worth as much as its parts is kept whole. */
const rounding = 1e-9;

/**
 * Picks the clusters that together hold the most: a cluster, unless those below it are worth more. The first, which holds
 * everything, is never picked.
 *
 * @returns [clusters] the picked cluster that each lies within, or -1
 */
function selectByExcessOfMass(clusters: readonly CondensedCluster[]): Int32Array {
  const worth = Float64Array.from(clusters, ({ stability }) => stability);
  const below = new Float64Array(clusters.length);
  const isPicked = new Uint8Array(clusters.length);
  for (let index = clusters.length - 1; index > 0; index--) {
    if (below[index]! > worth[index]! * (1 + rounding)) worth[index] = below[index]!;
    else isPicked[index] = 1;
    below[clusters[index]!.parent]! += worth[index]!;
  }
  const picked = new Int32Array(clusters.length).fill(-1);
  for (let index = 1; index < clusters.length; index++) {
    const above = picked[clusters[index]!.parent]!;
    picked[index] = above >= 0 ? above : isPicked[index] === 1 ? index : -1;
  }
  return picked;
}

function numberByFirstPoint(labels: Int32Array): HdbscanClustering {
  const numbers = new Map<number, number>();
  for (const label of labels) if (label >= 0 && !numbers.has(label)) numbers.set(label, numbers.size);
  return { clusters: numbers.size, labels: labels.map((label) => (label < 0 ? -1 : numbers.get(label)!)) };
}
