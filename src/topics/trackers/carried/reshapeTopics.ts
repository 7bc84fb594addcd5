import { innerProduct } from '../../../retrieval/dense/cosine.js';
import type { TopicEvent } from '../TopicTracker.js';
import {
  type CarriedParameters,
  type CarriedState,
  type Cluster,
  mainCluster,
  median,
  sum,
  type Topic,
} from './carriedState.js';

/** A topic near a cluster. */
interface Nearest {
  readonly topic: Topic;
  readonly cosine: number;
}

/**
 * Makes topics of the candidates that have gathered enough documents in the last slices, in the order of their clusters.
 * A candidate is, in this order of precedence,
 * - part of a topic, when it is as near to the topic's main cluster as two topics that would be merged;
 * - the successor of a topic, see `succeeds`;
 * - a topic that had ended and returns, when it is as near to it;
 * - a topic of its own.
 */
export function promoteCandidates(
  state: CarriedState,
  slice: number,
  dimension: number,
  parameters: CarriedParameters,
  events: TopicEvent[],
): void {
  const mains = mainsOf(state);
  for (const [index, cluster] of state.clusters.entries()) {
    const documents = sum(cluster.recent);
    if (cluster.topic !== 0 || documents < parameters.leastDocuments) continue;
    const nearest = nearestTopic(state, index, mains, dimension);
    const join = ({ topic }: Nearest) => {
      cluster.topic = topic.topic;
      topic.lastSlice = Math.max(topic.lastSlice, cluster.lastSlice);
      topic.recent = [...topic.recent.slice(0, -1), topic.recent.at(-1)! + cluster.recent.at(-1)!];
    };
    if (nearest !== null && nearest.cosine >= parameters.mergeSimilarity) {
      join(nearest);
      continue;
    }
    const group = { since: cluster.since, size: cluster.recent.at(-1)! };
    if (nearest !== null && succeeds(group, nearest, slice, parameters)) {
      join(nearest);
      const { cosine, topic } = nearest;
      events.push({ kind: 'succession', topic: topic.topic, other: null, cosine, documents });
      continue;
    }
    const past = nearestEnded(state, index, dimension);
    if (past !== null && past.cosine >= parameters.mergeSimilarity) {
      const topic = state.ended[past.index]!;
      forget(state, past.index, dimension);
      addTopic(state, topic, cluster, slice);
      events.push({ kind: 'return', topic, other: null, cosine: past.cosine, documents });
    } else {
      const topic = state.nextTopic++;
      addTopic(state, topic, cluster, slice);
      const other = nearest !== null && nearest.cosine >= parameters.similarity ? nearest.topic.topic : null;
      events.push({ kind: 'emergence', topic, other, cosine: nearest?.cosine ?? null, documents });
    }
    mains.set(cluster.topic, index);
  }
}

/** Standard deviations of a Poisson count that a topic must have lost before another group can have taken its place. */
const vacancyEvidence = 2;

/**
 * Whether a new group has taken the place of the topic that is nearest to it: the topic has lost at least half of what
 * was usual before the group began, beyond chance; the group has most of what is there now; and the two together are as
 * many as the topic was, within a factor of two. Then the flow of documents has not ended, but changed its content: that
 * is drift, and not one topic's end and another's emergence (ours).
 *
 * @param group the slice in which it began, and its documents in this one
 */
function succeeds(
  group: { readonly since: number; readonly size: number },
  { topic, cosine }: Nearest,
  slice: number,
  { successionSimilarity }: CarriedParameters,
): boolean {
  if (cosine < successionSimilarity || topic.since >= group.since) return false;
  const age = slice - group.since + 1;
  const before = topic.recent.slice(0, -age);
  if (before.length === 0) return false;
  const usual = median(before);
  const own = topic.recent.at(-1)!;
  const lost = usual - own;
  const gained = group.size;
  if (lost < usual / 2 || lost < vacancyEvidence * Math.sqrt(usual) || gained <= own) return false;
  return own + gained >= usual / 2 && own + gained <= usual * 2;
}

/**
 * Looks once more at the topics that were new in the slice before: in that slice, a group that takes a topic's place has
 * shared it with the topic, as one gives way to the other on some day in its midst; this slice is the first to show
 * whether the topic is gone. Then the older goes on with the documents of the younger.
 */
export function joinSuccessors(
  state: CarriedState,
  slice: number,
  dimension: number,
  parameters: CarriedParameters,
  events: TopicEvent[],
): void {
  for (const younger of state.topics.filter(({ since }) => since === slice - 1)) {
    const mains = mainsOf(state);
    const main = mains.get(younger.topic)!;
    const group = { since: state.clusters[main]!.since, size: younger.recent.at(-1)! };
    mains.delete(younger.topic);
    const nearest = nearestTopic(state, main, mains, dimension);
    if (group.since !== slice - 1 || nearest === null || !succeeds(group, nearest, slice, parameters)) continue;
    const { topic: older, cosine } = nearest;
    absorb(state, older, younger);
    state.topics = state.topics.filter((topic) => topic !== younger);
    events.push({ kind: 'succession', topic: older.topic, other: younger.topic, cosine, documents: group.size });
  }
}

/** Gives the clusters and documents of a topic to another. */
function absorb(state: CarriedState, into: Topic, from: Topic): void {
  for (const cluster of state.clusters) if (cluster.topic === from.topic) cluster.topic = into.topic;
  into.lastSlice = Math.max(into.lastSlice, from.lastSlice);
  const back = into.recent.length - from.recent.length;
  into.recent = into.recent.map((documents, i) => documents + (from.recent[i - back] ?? 0));
}

/**
 * Merges topics whose main clusters have become alike: the younger ends and its clusters go to the older, which carries
 * on with the documents of both. Pairs in the order of the older topic, then the younger.
 */
export function mergeTopics(
  state: CarriedState,
  dimension: number,
  { mergeSimilarity }: CarriedParameters,
  events: TopicEvent[],
): void {
  const mains = mainsOf(state);
  const gone = new Set<number>();
  for (const [index, older] of state.topics.entries()) {
    if (gone.has(older.topic)) continue;
    for (const younger of state.topics.slice(index + 1)) {
      if (gone.has(younger.topic)) continue;
      const [a, b] = [mains.get(older.topic)!, mains.get(younger.topic)!];
      const cosine = innerProduct(state.centroids, a * dimension, state.centroids, b * dimension, dimension);
      if (cosine < mergeSimilarity) continue;
      const { topic } = younger;
      events.push({ kind: 'merge', topic, other: older.topic, cosine, documents: younger.recent.at(-1)! });
      absorb(state, older, younger);
      gone.add(topic);
    }
  }
  if (gone.size > 0) state.topics = state.topics.filter(({ topic }) => !gone.has(topic));
}

/** Ended topics that can still return; older ones are forgotten, so that what is carried does not grow for ever. */
const mostEnded = 1024;

/** Ends topics that have had no document for long, and lets go of clusters that no topic needs. */
export function endTopics(
  state: CarriedState,
  slice: number,
  dimension: number,
  { endAfter, window }: CarriedParameters,
  events: TopicEvent[],
): void {
  const mains = mainsOf(state);
  for (const { topic, lastSlice } of state.topics) {
    if (slice - lastSlice < endAfter) continue;
    events.push({ kind: 'end', topic, other: null, cosine: null, documents: 0 });
    const main = mains.get(topic)! * dimension;
    const centroid = state.centroids.subarray(main, main + dimension);
    state.ended.push(topic);
    state.endedCentroids = joined(state.endedCentroids, centroid);
    if (state.ended.length > mostEnded) forget(state, 0, dimension);
    for (const cluster of state.clusters) if (cluster.topic === topic) cluster.topic = -1;
  }
  state.topics = state.topics.filter(({ lastSlice }) => slice - lastSlice < endAfter);
  const isKept = (cluster: Cluster, index: number) =>
    cluster.topic > 0
      ? mains.get(cluster.topic) === index || slice - cluster.lastSlice < endAfter
      : cluster.topic === 0 && slice - cluster.lastSlice < window;
  const kept = Array.from(state.clusters.keys()).filter((index) => isKept(state.clusters[index]!, index));
  if (kept.length === state.clusters.length) return;
  const centroids = new Float32Array(kept.length * dimension);
  for (const [to, from] of kept.entries()) {
    centroids.set(state.centroids.subarray(from * dimension, (from + 1) * dimension), to * dimension);
  }
  state.clusters = kept.map((index) => state.clusters[index]!);
  state.centroids = centroids;
}

function addTopic(state: CarriedState, topic: number, cluster: Cluster, slice: number): void {
  cluster.topic = topic;
  state.topics.push({ topic, since: slice, lastSlice: cluster.lastSlice, recent: [...cluster.recent] });
  state.topics.sort((a, b) => a.topic - b.topic);
}

/** Main cluster of every topic. */
function mainsOf({ clusters, topics }: CarriedState): Map<number, number> {
  return new Map(topics.map(({ topic }) => [topic, mainCluster(clusters, topic)]));
}

/** The topic whose main cluster, of those given, is nearest to a cluster; the oldest of equals. */
function nearestTopic(
  { topics, centroids }: CarriedState,
  cluster: number,
  mains: ReadonlyMap<number, number>,
  dimension: number,
): Nearest | null {
  let nearest: Nearest | null = null;
  for (const topic of topics) {
    const main = mains.get(topic.topic);
    if (main === undefined) continue;
    const cosine = innerProduct(centroids, cluster * dimension, centroids, main * dimension, dimension);
    if (nearest === null || cosine > nearest.cosine) nearest = { topic, cosine };
  }
  return nearest;
}

function nearestEnded(
  { ended, endedCentroids, centroids }: CarriedState,
  cluster: number,
  dimension: number,
): { index: number; cosine: number } | null {
  let nearest: { index: number; cosine: number } | null = null;
  for (const index of ended.keys()) {
    const cosine = innerProduct(centroids, cluster * dimension, endedCentroids, index * dimension, dimension);
    if (nearest === null || cosine > nearest.cosine) nearest = { index, cosine };
  }
  return nearest;
}

function forget(state: CarriedState, index: number, dimension: number): void {
  state.ended.splice(index, 1);
  state.endedCentroids = joined(
    state.endedCentroids.subarray(0, index * dimension),
    state.endedCentroids.subarray((index + 1) * dimension),
  );
}

function joined(first: Float32Array, second: Float32Array): Float32Array {
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
