import { kMeans } from '../../clustering/kMeans.js';
import { miniBatchKMeans } from '../../clustering/miniBatchKMeans.js';
import type { MatrixProduct } from '../../inference/MatrixProduct.js';
import { classTerms } from '../terms/classTerms.js';
import { hindsightViews, recognisedTerms, type TopicView, type TopicViews } from './topicViews.js';

/** Documents with vectors, in event order. */
export interface GlobalDocuments {
  readonly dimension: number;
  /** [documents, dimension] row-major, of length 1. */
  readonly vectors: Float32Array;
  /** [documents] slice of each, ascending. */
  readonly slices: Uint32Array;
  /** [documents] counts of its terms. */
  readonly terms: readonly ReadonlyMap<string, number>[];
}

export interface GlobalOptions {
  readonly seed: number;
  readonly product: MatrixProduct;
  /** Clusters for a number of documents; its square root by default. */
  readonly clustersOf?: ((documents: number) => number) | undefined;
}

/** From so many documents on, k-means goes by mini-batches. */
const manyDocuments = 20_000;

/**
 * The way of BERTopic's topics over time (Grootendorst 2022, section 3.4), for comparison: all documents are clustered
 * at once, without regard to time, terms are class-based TF-IDF over the clusters, and volumes are counted by slice.
 * k-means instead of HDBSCAN over a projection, on the same vectors.
 *
 * @param documents those of the slices up to `slice`
 */
export async function globalView(
  documents: GlobalDocuments,
  slice: number,
  { seed, product, clustersOf = (count) => Math.round(Math.sqrt(count)) }: GlobalOptions,
): Promise<TopicView[]> {
  const { dimension, slices } = documents;
  let count = 0;
  while (count < slices.length && slices[count]! <= slice) count++;
  if (count === 0) return [];
  const points = { matrix: documents.vectors.subarray(0, count * dimension), count, dimension };
  const k = Math.max(1, clustersOf(count));
  const cluster = count > manyDocuments ? miniBatchKMeans : kMeans;
  const { clusters, labels } = await cluster(points, { k, seed, restarts: 3, product });
  const counts = Array.from({ length: clusters }, () => new Map<string, number>());
  const sizes = Array.from({ length: clusters }, () => new Float64Array(slice + 1));
  for (let document = 0; document < count; document++) {
    const label = labels[document]!;
    sizes[label]![slices[document]!]!++;
    for (const [term, times] of documents.terms[document]!) {
      counts[label]!.set(term, (counts[label]!.get(term) ?? 0) + times);
    }
  }
  const terms = classTerms(counts, recognisedTerms);
  return sizes.map((ofSlices, topic) => ({ topic: topic + 1, terms: terms[topic]!, sizes: ofSlices }));
}

/** Topics found anew after each slice from the documents up to it: nothing later has a part in them. */
export function refittedViews(documents: GlobalDocuments, options: GlobalOptions): TopicViews {
  return { at: (slice) => globalView(documents, slice, options) };
}

/**
 * Topics found once from the whole stream, as is usual: at each slice they are what will be known after the last one.
 */
export function fullStreamViews(documents: GlobalDocuments, slices: number, options: GlobalOptions): TopicViews {
  return hindsightViews(refittedViews(documents, options), slices);
}
