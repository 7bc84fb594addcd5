import type { TemporalIntent } from '../retrieval/intent/temporalIntent.js';
import type { AssetVersion } from '../store/workspace/assetVersion.js';
import type { StateCommitment } from '../store/workspace/stateCommitments.js';
import type { Duration } from '../time/duration.js';
import type { Instant } from '../time/instant.js';

/** A score of one list that relevance was made of, and the place in it. */
export interface ListedScore {
  readonly score: number;
  /** From 1. */
  readonly rank: number;
}

/** Why a hit is where it is. */
export interface Explanation {
  /** What the mode ranks by: BM25, cosine, the fusion of both, or the share of the query's subject that is covered. */
  readonly relevance: number;
  /** Rank by relevance alone, from 1. */
  readonly relevanceRank: number;
  /** BM25, where the mode uses it and the asset has a word of the query. */
  readonly lexical?: ListedScore | undefined;
  /** Cosine, where the mode uses it and the asset has a vector. */
  readonly semantic?: ListedScore | undefined;
  /** max(0, t - eventAt) in milliseconds. */
  readonly age: Duration;
  /** 0.5^(age / half-life). */
  readonly decay: number;
  /** The score that ranks. */
  readonly fused: number;
}

/** An asset as it was as of t, and why it was found. */
export interface SearchHit extends Pick<AssetVersion, 'id' | 'type' | 'title' | 'text' | 'contentHash'> {
  /** From 1. */
  readonly rank: number;
  readonly score: number;
  /** Event time, and availability time c(a). */
  readonly eventAt: Instant;
  readonly availableAt: Instant;
  readonly explanation: Explanation;
}

/** An answer as of t. It depends on what was available by t, the query and the options alone. */
export interface SearchAnswer {
  readonly query: string;
  /** t: the instant asked for, or an earlier one that the words of the query name. */
  readonly asOf: Instant;
  /** What the query was understood to say about time; absent where it was not interpreted. */
  readonly intent?: TemporalIntent | undefined;
  /** The state it was computed from: the commitment of D_t, and θ with its hash. */
  readonly state: { readonly corpus: StateCommitment; readonly model: ModelState };
  /** Assets in D_t. */
  readonly documents: number;
  /** The half-life that was used, in milliseconds. */
  readonly halfLife: Duration;
  /** Why there is no hit, where there is none. */
  readonly note?: string | undefined;
  readonly hits: readonly SearchHit[];
}

/** θ: what was fitted, tuned or chosen. */
export interface ModelState {
  /** SHA-256 of the canonical JSON of `parameters`. */
  readonly hash: string;
  readonly parameters: object;
}
