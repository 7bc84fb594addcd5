import type { Instant } from '../time/instant.js';
import type { TrendLabel } from './rules/trendRule.js';
import type { EntityShare } from './terms/entityShares.js';
import type { TopicEvent } from './trackers/TopicTracker.js';

/** A topic in a slice, as it is published. */
export interface TopicPoint {
  readonly topic: number;
  /** Documents. */
  readonly size: number;
  /** null while the slice is provisional. */
  readonly label: TrendLabel | null;
  /** Documents for each one expected; null where none are expected. */
  readonly ratio: number | null;
  /** 1 - cosine of the content and that which it is compared with; null where there is none. */
  readonly drift: number | null;
  /** Terms that set the topic apart in the slice, heaviest first. */
  readonly terms: readonly string[];
  /** Terms that set the topic apart over its slices so far, heaviest first: what it is about. */
  readonly about: readonly string[];
  readonly entities: readonly EntityShare[];
  /**
   * Documents in the slices before, the latest last, as the model after this slice sees them: what the label was judged
   * by. Not whole where they were estimated from a sample; empty from a tracker that does not look back.
   */
  readonly past: readonly number[];
}

/**
 * What the tracker says of a slice. It depends on the documents up to the slice alone; once the slice is over, nothing in
 * it changes.
 */
export interface PublishedSlice {
  readonly id: string;
  readonly start: Instant;
  /** First instant after it. */
  readonly end: Instant;
  /** From when on this could be known. */
  readonly knownAt: Instant;
  readonly provisional: boolean;
  /** Documents in it; of these, without a topic, and without a vector (no text). */
  readonly documents: number;
  readonly unassigned: number;
  readonly withoutVector: number;
  /** Topics that are alive or end in it, by number. */
  readonly points: readonly TopicPoint[];
  readonly events: readonly TopicEvent[];
  /** SHA-256, hexadecimal, of ids, event times and contents of its documents. */
  readonly documentsHash: string;
  /** SHA-256, hexadecimal, of the model after it: θ from `knownAt` on. That of the slice before, if provisional. */
  readonly modelHash: string;
}
