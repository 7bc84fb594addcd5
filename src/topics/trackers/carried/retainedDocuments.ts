import { assignToNearest } from '../../../clustering/nearestCentroids.js';
import type { MatrixProduct } from '../../../inference/MatrixProduct.js';
import { innerProduct } from '../../../retrieval/dense/cosine.js';
import type { SliceBatch } from '../../TopicDocuments.js';
import type { PastObservation } from '../TopicTracker.js';
import { addRow } from '../vectorMath.js';
import type { Cluster, RetainedDocuments } from './carriedState.js';

/** Documents kept of a slice; of more, each stands for several. */
const mostPerSlice = 1024;

/** Adds a slice and lets go of the oldest beyond `window`. Of a large slice, documents at even distances are kept. */
export function retain(before: RetainedDocuments, batch: SliceBatch, window: number): RetainedDocuments {
  const { dimension, count, vectors } = batch;
  const step = Math.max(1, Math.ceil(count / mostPerSlice));
  const kept = Math.ceil(count / step);
  const slices = [...before.slices, { kept, weight: kept === 0 ? 1 : count / kept }];
  const dropped = slices.slice(0, -window).reduce((sum, slice) => sum + slice.kept, 0);
  const old = before.vectors.subarray(dropped * dimension);
  const all = new Float32Array(old.length + kept * dimension);
  all.set(old);
  for (let i = 0; i < kept; i++) {
    const start = i * step * dimension;
    all.set(vectors.subarray(start, start + dimension), old.length + i * dimension);
  }
  return { slices: slices.slice(-window), vectors: all };
}

/**
 * Counts the retained documents by topic as the clusters are now: each belongs to the nearest cluster, if that is near
 * enough, and so to its topic. The past as the present model sees it, from documents that were there.
 *
 * @returns for each topic, one observation a retained slice, the latest last
 */
export async function countAgain(
  retained: RetainedDocuments,
  clusters: readonly Cluster[],
  centroids: Float32Array,
  dimension: number,
  similarity: number,
  product: MatrixProduct,
): Promise<Map<number, PastObservation[]>> {
  const { slices, vectors } = retained;
  const past = new Map<number, PastObservation[]>();
  for (const { topic } of clusters) {
    if (topic > 0)
      past.set(
        topic,
        slices.map(() => ({ size: 0, sum: new Float64Array(dimension) })),
      );
  }
  const count = vectors.length / dimension;
  if (past.size === 0 || count === 0) return past;
  const nearest = new Uint32Array(count);
  const points = { matrix: vectors, count, dimension };
  const norms = new Float64Array(count).fill(1);
  await assignToNearest(points, norms, { clusters: clusters.length, matrix: centroids }, nearest, product);
  let document = 0;
  for (const [index, { kept, weight }] of slices.entries()) {
    for (const end = document + kept; document < end; document++) {
      const cluster = nearest[document]!;
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
