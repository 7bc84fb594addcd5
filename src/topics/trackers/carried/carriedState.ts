/** Settings of the tracker, all of them in force. */
export type CarriedParameters = {
  /** Cosine to a cluster's centroid from which a document belongs to the cluster. */
  readonly similarity: number;
  /** Documents in `window` slices that make a group of them a topic. */
  readonly leastDocuments: number;
  /** Slices within which documents make a topic. */
  readonly window: number;
  /** Slices that are looked back on when topics change. */
  readonly lookBack: number;
  /** Documents that a carried centroid speaks for, at most, when new ones join it. */
  readonly memory: number;
  /** Slices without a document after which a topic has ended. */
  readonly endAfter: number;
  /** Cosine of centroids from which two topics are one, and an ended topic is there again. */
  readonly mergeSimilarity: number;
  /** Cosine of centroids without which a new group cannot succeed a topic. */
  readonly successionSimilarity: number;
  readonly seed: number;
};

/** Documents that belong together; a topic is one cluster or several, a candidate is a cluster without a topic. */
export interface Cluster {
  /** 0 for a candidate. */
  topic: number;
  /** Documents so far. */
  weight: number;
  /** Slice in which it began, and the last one with a document of it. */
  readonly since: number;
  lastSlice: number;
  /** Documents in each of the last slices, this one last; at most `window`. */
  recent: number[];
}

export interface Topic {
  readonly topic: number;
  /** Slice in which it became a topic. */
  readonly since: number;
  lastSlice: number;
  /** Documents in each of the last slices, this one last; at most twice `window`. */
  recent: number[];
}

/** Documents of a slice, kept to be counted again when topics change. Never altered once made: see `stateHash`. */
export interface RetainedSlice {
  /** Documents that each one kept stands for. */
  readonly weight: number;
  /** [kept, dimension] row-major. */
  readonly vectors: Float32Array;
}

/** What is carried from slice to slice. Its arrays are replaced, never written to. */
export interface CarriedState {
  /** Slices so far. */
  slices: number;
  /** What the stream itself says of `similarity`; null while it has not been said. */
  similarity: number | null;
  nextTopic: number;
  clusters: Cluster[];
  /** [clusters, dimension] centroids of length 1. */
  centroids: Float32Array;
  /** Alive, ascending. */
  topics: Topic[];
  /** Topics that have ended, the latest last, and the centroids of their main clusters, [ended, dimension]. */
  ended: number[];
  endedCentroids: Float32Array;
  /** Of the last slices, the latest last. */
  retained: readonly RetainedSlice[];
}

export function initialState(): CarriedState {
  return {
    slices: 0,
    similarity: null,
    nextTopic: 1,
    clusters: [],
    centroids: new Float32Array(0),
    topics: [],
    ended: [],
    endedCentroids: new Float32Array(0),
    retained: [],
  };
}

/** The state as it is now, whatever becomes of it: arrays are shared, as nobody writes to them. */
export function copyState(state: CarriedState): CarriedState {
  return {
    ...state,
    clusters: state.clusters.map((cluster) => ({ ...cluster, recent: [...cluster.recent] })),
    topics: state.topics.map((topic) => ({ ...topic, recent: [...topic.recent] })),
    ended: [...state.ended],
  };
}

/** Index of the cluster that stands for a topic: the one with most documents in the last slices, the oldest of equals. */
export function mainCluster(clusters: readonly Cluster[], topic: number): number {
  let main = -1;
  let most = -1;
  for (const [index, cluster] of clusters.entries()) {
    if (cluster.topic !== topic) continue;
    const documents = sum(cluster.recent);
    if (documents > most) {
      main = index;
      most = documents;
    }
  }
  return main;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}
