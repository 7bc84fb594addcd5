import { InvalidArgumentError } from '../../../errors/InvalidArgumentError.js';
import type { StateValue } from '../../state/stateValue.js';
import type { SliceBatch } from '../../TopicDocuments.js';
import type { SliceAssignment, TopicEvent, TopicTracker, TrackerContext } from '../TopicTracker.js';
import { assignDocuments } from './assignDocuments.js';
import { type CarriedParameters, type CarriedState, type Cluster, initialState } from './carriedState.js';
import { endTopics, mergeTopics, promoteCandidates } from './reshapeTopics.js';
import { countAgain, retain } from './retainedDocuments.js';
import { similarityScale } from './similarityScale.js';
import { splitClusters } from './splitClusters.js';

/** Thresholds of the tracker that carries one model from slice to slice. */
export interface CarriedTrackerOptions {
  /**
   * Cosine to a cluster's centroid from which a document belongs to it. `auto`, the default: 0.5, as topics are matched
   * in the paper, or more, where the first slice of some size shows that the stream's texts are that much alike.
   */
  readonly similarity?: number | 'auto' | undefined;
  /** Documents within `window` slices that make a topic; 5 by default. */
  readonly leastDocuments?: number | undefined;
  /** See there; 4 by default. */
  readonly window?: number | undefined;
  /** Slices that are looked back on when topics change; 12 by default. */
  readonly lookBack?: number | undefined;
  /** Documents that a carried centroid speaks for, at most; 50 by default. */
  readonly memory?: number | undefined;
  /** Slices without a document after which a topic has ended; 8 by default. */
  readonly endAfter?: number | undefined;
  /** Cosine of centroids from which topics are one; 70% of the way from `similarity` to 1 by default, 0.85. */
  readonly mergeSimilarity?: number | undefined;
  /** Least cosine between a topic and what succeeds it; 40% of `similarity` by default, 0.2. */
  readonly successionSimilarity?: number | undefined;
}

/**
 * Tracker `carried` (ours), the default: one model that goes from slice to slice. Centroids are carried forward,
 * documents join the nearest one or gather to new groups (`assignDocuments`), and topics are lines of clusters that can
 * split, merge, succeed one another, end and return (`promoteCandidates`, `mergeTopics`, `splitClusters`, `endTopics`).
 * So a topic keeps its identity as long as its documents keep coming, where clusterings made anew each week have to be
 * matched, and every accident of a clustering is a change of volume.
 *
 * @throws InvalidArgumentError for settings that cannot be
 */
export function carriedTracker(context: TrackerContext, options: CarriedTrackerOptions = {}): TopicTracker {
  const { dimension, product } = context;
  const parametersAt = parametersFrom(options, context.seed);
  let state = initialState();

  async function advance(batch: SliceBatch): Promise<SliceAssignment> {
    const slice = state.slices++;
    if (options.similarity === undefined || options.similarity === 'auto') {
      state.similarity ??= similarityScale(batch.vectors, batch.count, dimension);
    }
    const parameters = parametersAt(state.similarity);
    const carried = state.clusters;
    const assigned = await assignDocuments(
      batch,
      { clusters: carried, centroids: state.centroids },
      parameters,
      product,
    );
    const { labels, clusters, centroids, splits } = await splitClusters(batch, assigned, carried, parameters, product);
    const sizes = new Uint32Array(clusters);
    for (const label of labels) sizes[label]!++;
    const { window } = parameters;
    state.clusters = Array.from(sizes, (size, index) => grown(carried[index], size, slice, window));
    state.centroids = centroids;
    for (const topic of state.topics) {
      let documents = 0;
      for (const [index, cluster] of carried.entries()) if (cluster.topic === topic.topic) documents += sizes[index]!;
      topic.recent = [...topic.recent, documents].slice(-2 * window);
      if (documents > 0) topic.lastSlice = slice;
    }
    const events: TopicEvent[] = [];
    for (const { from, to, cosine } of splits) {
      const topic = state.nextTopic++;
      const cluster = state.clusters[to]!;
      cluster.topic = topic;
      state.topics.push({ topic, since: slice, lastSlice: slice, recent: [...cluster.recent] });
      events.push({ kind: 'split', topic, other: carried[from]!.topic, cosine, documents: sizes[to]! });
    }
    promoteCandidates(state, slice, dimension, parameters, events);
    mergeTopics(state, dimension, parameters, events);
    const topics = Int32Array.from(labels, (label) => state.clusters[label]!.topic || -1);
    endTopics(state, slice, dimension, parameters, events);
    const { similarity } = parameters;
    const { clusters: present, centroids: moved } = state;
    const observations = await countAgain(state.retained, present, moved, dimension, similarity, product);
    state.retained = retain(state.retained, batch, parameters.lookBack);
    return {
      topics,
      alive: state.topics.map(({ topic }) => topic),
      events,
      past: { lookBack: parameters.lookBack, observations },
    };
  }

  return {
    name: 'carried',
    parameters: { ...parametersAt(null), similarity: options.similarity ?? 'auto' },
    advance,
    save: () => structuredClone(state) as unknown as StateValue,
    restore(saved) {
      state = structuredClone(saved) as unknown as CarriedState;
    },
  };
}

/** A cluster after a slice. */
function grown(before: Cluster | undefined, size: number, slice: number, window: number): Cluster {
  if (before === undefined) return { topic: 0, weight: size, since: slice, lastSlice: slice, recent: [size] };
  return {
    ...before,
    weight: before.weight + size,
    lastSlice: size > 0 ? slice : before.lastSlice,
    recent: [...before.recent, size].slice(-window),
  };
}

const usualSimilarity = 0.5;

/** The settings in force, given what the stream says of similarity. */
function parametersFrom(options: CarriedTrackerOptions, seed: number): (ofStream: number | null) => CarriedParameters {
  const { leastDocuments = 5, window = 4, lookBack = 12, memory = 50, endAfter = 8 } = options;
  for (const [argument, value] of Object.entries({ leastDocuments, window, lookBack, memory, endAfter })) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new InvalidArgumentError({ argument, value, expected: 'an integer of at least 1' });
  }
  const { similarity: given, mergeSimilarity, successionSimilarity } = options;
  for (const [argument, value] of Object.entries({ similarity: given, mergeSimilarity, successionSimilarity })) {
    if (value === undefined || value === 'auto' || (value > 0 && value <= 1)) continue;
    throw new InvalidArgumentError({ argument, value, expected: 'a cosine above 0, up to 1' });
  }
  return (ofStream) => {
    const similarity = typeof given === 'number' ? given : Math.max(usualSimilarity, ofStream ?? 0);
    return {
      similarity,
      mergeSimilarity: mergeSimilarity ?? similarity + 0.7 * (1 - similarity),
      successionSimilarity: successionSimilarity ?? 0.4 * similarity,
      leastDocuments,
      window,
      lookBack,
      memory,
      endAfter,
      seed,
    };
  };
}
