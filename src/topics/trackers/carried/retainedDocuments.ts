import { assignToNearest } from '../../../clustering/nearestCentroids.js';
import type { MatrixProduct } from '../../../inference/MatrixProduct.js';
import { innerProduct } from '../../../retrieval/dense/cosine.js';
import type { SliceBatch } from '../../TopicDocuments.js';
import type { PastObservation } from '../TopicTracker.js';
import { addRow } from '../vectorMath.js';
import type { Cluster, RetainedSlice } from './carriedState.js';

/** Documents kept of a slice; of more, each stands for several. */
const mostPerSlice = 1024;

/** Adds a slice and lets go of the oldest beyond `window`. Of a large slice, documents at even distances are kept. */
export function retain(
  before: readonly RetainedSlice[],
  { dimension, count, vectors }: SliceBatch,
  window: number,
): RetainedSlice[] {
  const step = Math.max(1, Math.ceil(count / mostPerSlice));
  const kept = Math.ceil(count / step);
  const own = new Float32Array(kept * dimension);
  for (let i = 0; i < kept; i++) {
    const start = i * step * dimension;
    own.set(vectors.subarray(start, start + dimension), i * dimension);
  }
  return [...before, { weight: kept === 0 ? 1 : count / kept, vectors: own }].slice(-window);
}

/**
 * Counts the retained documents by topic as the clusters are now: each belongs to the nearest cluster, if that is near
 * enough, and so to its topic. The past as the present model sees it, from documents that were there.
 *
 * @returns for each topic, one observation a retained slice, the latest last
 */
export async function countAgain(
  retained: readonly RetainedSlice[],
  clusters: readonly Cluster[],
  centroids: Float32Array,
  dimension: number,
  similarity: number,
  product: MatrixProduct,
): Promise<Map<number, PastObservation[]>> {
  const past = new Map<number, PastObservation[]>();
  const nothing = () => ({ size: 0, sum: new Float64Array(dimension) });
  for (const { topic } of clusters) if (topic > 0) past.set(topic, retained.map(nothing));
  if (past.size === 0) return past;
  for (const [index, { weight, vectors }] of retained.entries()) {
    const count = vectors.length / dimension;
    if (count === 0) continue;
    const nearest = new Uint32Array(count);
    const points = { matrix: vectors, count, dimension };
    const norms = new Float64Array(count).fill(1);
    await assignToNearest(points, norms, { clusters: clusters.length, matrix: centroids }, nearest, product);
    for (const [document, cluster] of nearest.entries()) {
      const observation = past.get(clusters[cluster]!.topic)?.[index];
      const start = document * dimension;
      if (observation === undefined) continue;
      if (innerProduct(vectors, start, centroids, cluster * dimension, dimension) < similarity) continue;
      observation.size += weight;
      addRow(observation.sum, vectors, start, weight);
    }
  }
  return past;
}
