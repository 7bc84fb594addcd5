import { assignToNearest } from '../../../clustering/nearestCentroids.js';
import type { MatrixProduct } from '../../../inference/MatrixProduct.js';
import { innerProduct } from '../../../retrieval/dense/cosine.js';
import type { SliceBatch } from '../../TopicDocuments.js';
import { addRow, writeDirection } from '../vectorMath.js';
import type { CarriedParameters, Cluster } from './carriedState.js';
import { gatherGroups } from './gatherGroups.js';

/** Documents of a slice in clusters: carried ones first, then new ones. */
export interface AssignedSlice {
  /** [documents] cluster. */
  readonly labels: Uint32Array;
  readonly clusters: number;
  /** [clusters, dimension] where the centroids have moved to, of length 1. */
  readonly centroids: Float32Array;
}

/** Rounds of assigning documents and moving centroids; most slices are at rest after three. */
const mostRounds = 6;

/**
 * Assigns the documents of a slice to the nearest centroid, as k-means does, with two differences (dynamic means, the
 * small-variance limit of a dependent Dirichlet process; Campbell, Liu, Kulis, How and Carin 2013): centroids are carried
 * from the slices before and weigh as much as the documents that they stand for, up to `memory`; and a document too far
 * from every centroid does not join one, but gathers with others of its kind to a new cluster. The number of clusters
 * follows from the documents.
 *
 * Every cosine that decides is computed in double precision, so the result is the same on every machine.
 */
export async function assignDocuments(
  batch: SliceBatch,
  carried: { readonly clusters: readonly Cluster[]; readonly centroids: Float32Array },
  { similarity, memory }: Pick<CarriedParameters, 'similarity' | 'memory'>,
  product: MatrixProduct,
): Promise<AssignedSlice> {
  const { count, dimension, vectors } = batch;
  const points = { matrix: vectors, count, dimension };
  const norms = new Float64Array(count).fill(1);
  const nearest = new Uint32Array(count);
  let labels = new Uint32Array(count);
  let centroids = carried.centroids;
  let clusters = carried.clusters.length;
  for (let round = 0; round < mostRounds && count > 0; round++) {
    if (clusters > 0) await assignToNearest(points, norms, { clusters, matrix: centroids }, nearest, product);
    const next = new Uint32Array(count);
    const far: number[] = [];
    for (let document = 0; document < count; document++) {
      const cluster = nearest[document]!;
      const isNear =
        clusters > 0 &&
        innerProduct(vectors, document * dimension, centroids, cluster * dimension, dimension) >= similarity;
      if (isNear) next[document] = cluster;
      else far.push(document);
    }
    for (const group of gatherGroups(vectors, dimension, far, similarity)) {
      for (const document of group) next[document] = clusters;
      clusters++;
    }
    const isAtRest = round > 0 && next.every((label, document) => label === labels[document]);
    labels = next;
    if (isAtRest) break;
    centroids = moveCentroids(batch, labels, clusters, carried, memory, centroids);
  }
  return withoutEmpty({ labels, clusters, centroids }, carried.clusters.length, dimension);
}

/** Carried centroids, weighted, and documents, taken together; a cluster that nothing joins stays where it is. */
function moveCentroids(
  { count, dimension, vectors }: SliceBatch,
  labels: Uint32Array,
  clusters: number,
  carried: { readonly clusters: readonly Cluster[]; readonly centroids: Float32Array },
  memory: number,
  before: Float32Array,
): Float32Array {
  const sums = Array.from({ length: clusters }, (_, cluster) => {
    const sum = new Float64Array(dimension);
    const weight = Math.min(carried.clusters[cluster]?.weight ?? 0, memory);
    if (weight > 0) {
      for (let i = 0; i < dimension; i++) sum[i] = weight * carried.centroids[cluster * dimension + i]!;
    }
    return sum;
  });
  const isJoined = new Uint8Array(clusters);
  for (let document = 0; document < count; document++) {
    isJoined[labels[document]!] = 1;
    addRow(sums[labels[document]!]!, vectors, document * dimension);
  }
  const centroids = new Float32Array(clusters * dimension);
  centroids.set(before);
  centroids.set(carried.centroids);
  for (const [cluster, sum] of sums.entries()) {
    if (isJoined[cluster] === 1) writeDirection(sum, centroids, cluster * dimension);
  }
  return centroids;
}

/** Leaves out new clusters that a later round has emptied. */
function withoutEmpty(assigned: AssignedSlice, carried: number, dimension: number): AssignedSlice {
  const kept = new Set(assigned.labels);
  for (let cluster = 0; cluster < carried; cluster++) kept.add(cluster);
  const order = Array.from(kept).sort((a, b) => a - b);
  if (order.length === assigned.clusters) return assigned;
  const renamed = new Map(order.map((cluster, index) => [cluster, index]));
  const centroids = new Float32Array(order.length * dimension);
  for (const [index, cluster] of order.entries()) {
    centroids.set(assigned.centroids.subarray(cluster * dimension, (cluster + 1) * dimension), index * dimension);
  }
  return { labels: assigned.labels.map((label) => renamed.get(label)!), clusters: order.length, centroids };
}
