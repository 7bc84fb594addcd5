import { kMeans } from '../../../clustering/kMeans.js';
import type { MatrixProduct } from '../../../inference/MatrixProduct.js';
import { innerProduct } from '../../../retrieval/dense/cosine.js';
import type { SliceBatch } from '../../TopicDocuments.js';
import type { AssignedSlice } from './assignDocuments.js';
import type { CarriedParameters, Cluster } from './carriedState.js';

/** A new cluster out of another. */
export interface ClusterSplit {
  readonly from: number;
  readonly to: number;
  readonly cosine: number;
}

/**
 * Splits the clusters of topics that have come to hold two groups of documents which would not belong to one another:
 * two halves (2-means of the slice's documents) of at least `leastDocuments` each, whose centroids are less than
 * `similarity` alike. The half nearer to the carried centroid remains; the other is a new cluster.
 */
export async function splitClusters(
  batch: SliceBatch,
  assigned: AssignedSlice,
  carried: readonly Cluster[],
  { similarity, leastDocuments, seed }: CarriedParameters,
  product: MatrixProduct,
): Promise<AssignedSlice & { readonly splits: readonly ClusterSplit[] }> {
  const { dimension, vectors } = batch;
  const labels = assigned.labels.slice();
  const members = Array.from({ length: carried.length }, (): number[] => []);
  for (const [document, cluster] of labels.entries()) members[cluster]?.push(document);
  const splits: ClusterSplit[] = [];
  const added: Float32Array[] = [];
  const centroids = assigned.centroids.slice();
  for (const [from, documents] of members.entries()) {
    if (carried[from]!.topic === 0 || documents.length < 2 * leastDocuments) continue;
    const matrix = new Float32Array(documents.length * dimension);
    for (const [i, document] of documents.entries()) {
      matrix.set(vectors.subarray(document * dimension, (document + 1) * dimension), i * dimension);
    }
    const points = { matrix, count: documents.length, dimension };
    const halves = await kMeans(points, { k: 2, seed, restarts: 3, spherical: true, product });
    if (halves.clusters < 2) continue;
    const sizes = [0, 0];
    for (const half of halves.labels) sizes[half]!++;
    const cosine = innerProduct(halves.centroids, 0, halves.centroids, dimension, dimension);
    if (cosine >= similarity || Math.min(...sizes) < leastDocuments) continue;
    const toCarried = [0, 1].map((half) =>
      innerProduct(assigned.centroids, from * dimension, halves.centroids, half * dimension, dimension),
    );
    const leaving = toCarried[0]! >= toCarried[1]! ? 1 : 0;
    const to = assigned.clusters + added.length;
    for (const [i, document] of documents.entries()) if (halves.labels[i] === leaving) labels[document] = to;
    const half = (index: number) => halves.centroids.slice(index * dimension, (index + 1) * dimension);
    centroids.set(half(1 - leaving), from * dimension);
    added.push(half(leaving));
    splits.push({ from, to, cosine });
  }
  const all = new Float32Array(centroids.length + added.length * dimension);
  all.set(centroids);
  for (const [i, centroid] of added.entries()) all.set(centroid, centroids.length + i * dimension);
  return { labels, clusters: assigned.clusters + added.length, centroids: all, splits };
}
