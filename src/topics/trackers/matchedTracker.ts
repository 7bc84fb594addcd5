import {
  type ClusterCountRange,
  type ClusterCountRule,
  kMeansOfChosenCount,
} from '../../clustering/chooseClusterCount.js';
import { type HdbscanOptions, hdbscan } from '../../clustering/hdbscan/hdbscan.js';
import { kMeans } from '../../clustering/kMeans.js';
import { type MatchingRule, matchClusters } from '../matching/matchClusters.js';
import type { StateValue } from '../state/stateValue.js';
import type { SliceBatch } from '../TopicDocuments.js';
import type { SliceAssignment, TopicEvent, TopicTracker, TrackerContext } from './TopicTracker.js';
import { addRow, rowCosines, writeDirection } from './vectorMath.js';

/** How the documents of a slice are clustered, by themselves. */
export type SliceClusterer =
  | { readonly kind: 'k-means'; readonly k: number | ClusterCountRule; readonly range?: ClusterCountRange | undefined }
  | ({ readonly kind: 'hdbscan' } & HdbscanOptions);

/** How slices are clustered by themselves, and their clusters matched. */
export interface MatchedTrackerOptions {
  /** k-means with K by the elbow by default. */
  readonly clusterer?: SliceClusterer | undefined;
  /** `greedy` by default. */
  readonly matching?: MatchingRule | undefined;
  /** Cosine of centroids from which clusters of two slices are one topic; 0.5 by default. */
  readonly threshold?: number | undefined;
  /** Documents without which a slice is not clustered; 5 by default. */
  readonly leastDocuments?: number | undefined;
  /** Starts of k-means; 10 by default. */
  readonly restarts?: number | undefined;
}

type MatchedState = {
  /** [clusters, dimension] centroids of the last slice that was clustered, of length 1. */
  readonly centroids: Float32Array;
  /** Topic of each. */
  readonly topics: readonly number[];
  readonly nextTopic: number;
};

/**
 * Tracker `matched`, the paper's (temporal RAG, section 2.3): each slice is clustered by itself, and its clusters are
 * matched one-to-one with those of the slice before. A cluster without a match is a new topic; a topic without a match
 * has ended. A slice with too few documents to cluster is passed over.
 *
 * Ours: a new topic that is near a matched cluster of the slice before is a split, and an ended one that is near a
 * matched cluster of this slice is a merge.
 */
export function matchedTracker(context: TrackerContext, options: MatchedTrackerOptions = {}): TopicTracker {
  const { dimension } = context;
  const { clusterer = { kind: 'k-means', k: 'elbow' }, matching = 'greedy', threshold = 0.5 } = options;
  const { leastDocuments = 5, restarts = 10 } = options;
  let state: MatchedState = { centroids: new Float32Array(0), topics: [], nextTopic: 1 };

  async function advance(batch: SliceBatch): Promise<SliceAssignment> {
    const topics = new Int32Array(batch.count).fill(-1);
    if (batch.count < leastDocuments) return { topics, alive: [], events: [], past: null };
    const { clusters, labels } = await clusterSlice(batch);
    const centroids = centroidsOf(batch, labels, clusters);
    const before = state.topics;
    const cosines = rowCosines(state.centroids, centroids, dimension);
    const matches = matchClusters(cosines, before.length, clusters, matching, threshold);
    const topicOf = new Int32Array(clusters).fill(-1);
    for (const match of matches) topicOf[match.now] = before[match.before]!;
    const sizes = sizesOf(labels, clusters);
    const events: TopicEvent[] = [];
    let { nextTopic } = state;
    for (let cluster = 0; cluster < clusters; cluster++) {
      if (topicOf[cluster]! >= 0) continue;
      const topic = nextTopic++;
      topicOf[cluster] = topic;
      const nearest = nearestOf(before.length, (row) => cosines[row * clusters + cluster]!);
      const isSplit = nearest !== null && nearest.cosine >= threshold;
      events.push({
        kind: isSplit ? 'split' : 'emergence',
        topic,
        other: isSplit ? before[nearest.index]! : null,
        cosine: nearest?.cosine ?? null,
        documents: sizes[cluster]!,
      });
    }
    const goesOn = new Set(topicOf);
    for (const [row, topic] of before.entries()) {
      if (goesOn.has(topic)) continue;
      const nearest = nearestOf(clusters, (column) => cosines[row * clusters + column]!);
      const isMerge = nearest !== null && nearest.cosine >= threshold;
      const other = isMerge ? topicOf[nearest.index]! : null;
      events.push({ kind: isMerge ? 'merge' : 'end', topic, other, cosine: nearest?.cosine ?? null, documents: 0 });
    }
    for (let document = 0; document < batch.count; document++) {
      if (labels[document]! >= 0) topics[document] = topicOf[labels[document]!]!;
    }
    state = { centroids, topics: Array.from(topicOf), nextTopic };
    return { topics, alive: Array.from(topicOf).sort((a, b) => a - b), events, past: null };
  }

  async function clusterSlice(batch: SliceBatch): Promise<{ clusters: number; labels: ArrayLike<number> }> {
    const points = { matrix: batch.vectors, count: batch.count, dimension };
    if (clusterer.kind === 'hdbscan') return hdbscan(points, clusterer);
    const settings = { seed: context.seed, restarts, product: context.product };
    const { k } = clusterer;
    if (typeof k === 'number') return kMeans(points, { ...settings, k });
    return kMeansOfChosenCount(points, k, { ...settings, ...clusterer.range });
  }

  function centroidsOf(batch: SliceBatch, labels: ArrayLike<number>, clusters: number): Float32Array {
    const sums = Array.from({ length: clusters }, () => new Float64Array(dimension));
    for (let document = 0; document < batch.count; document++) {
      if (labels[document]! >= 0) addRow(sums[labels[document]!]!, batch.vectors, document * dimension);
    }
    const centroids = new Float32Array(clusters * dimension);
    for (const [cluster, sum] of sums.entries()) writeDirection(sum, centroids, cluster * dimension);
    return centroids;
  }

  return {
    name: 'matched',
    parameters: {
      clusterer: parametersOf(clusterer),
      matching,
      threshold,
      leastDocuments,
      restarts,
      seed: context.seed,
    },
    advance,
    save: () => state,
    restore(saved) {
      state = saved as MatchedState;
    },
  };
}

function parametersOf(clusterer: SliceClusterer): StateValue {
  if (clusterer.kind === 'hdbscan') {
    const { minimumClusterSize = 5, minimumSamples = minimumClusterSize } = clusterer;
    return { kind: 'hdbscan', minimumClusterSize, minimumSamples };
  }
  const { least = 2, most = 10 } = clusterer.range ?? {};
  return { kind: 'k-means', k: clusterer.k, least, most };
}

function sizesOf(labels: ArrayLike<number>, clusters: number): Uint32Array {
  const sizes = new Uint32Array(clusters);
  for (let document = 0; document < labels.length; document++) if (labels[document]! >= 0) sizes[labels[document]!]!++;
  return sizes;
}

/** The largest of some cosines, the first of equals; null where there are none. */
function nearestOf(count: number, cosineAt: (index: number) => number): { index: number; cosine: number } | null {
  let nearest: { index: number; cosine: number } | null = null;
  for (let index = 0; index < count; index++) {
    const cosine = cosineAt(index);
    if (nearest === null || cosine > nearest.cosine) nearest = { index, cosine };
  }
  return nearest;
}
