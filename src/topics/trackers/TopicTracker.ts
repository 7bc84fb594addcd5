import type { MatrixProduct } from '../../inference/MatrixProduct.js';
import type { StateValue } from '../state/stateValue.js';
import type { SliceBatch } from '../TopicDocuments.js';

/**
 * What happened to topics in a slice, so that a reader can follow them:
 * - `emergence`: a new topic; `other` is the one beside which it came up, where one is near
 * - `split`: a new topic of documents that another (`other`) held until then
 * - `merge`: the topic ended by becoming part of another (`other`)
 * - `succession`: the topic's documents have given way to others, that go on as the same topic
 * - `return`: a topic that had ended is there again
 * - `end`: the topic is there no more
 */
export type TopicEventKind = 'emergence' | 'split' | 'merge' | 'succession' | 'return' | 'end';

/** Something that happened to topics in a slice. */
export interface TopicEvent {
  readonly kind: TopicEventKind;
  readonly topic: number;
  /** The other topic, where there is one. */
  readonly other: number | null;
  /** Cosine that it rests on: to the nearest topic, the other topic, or the content before; null where there is none. */
  readonly cosine: number | null;
  /** Documents that it concerns. */
  readonly documents: number;
}

/** The topics of a slice. */
export interface SliceAssignment {
  /** [documents of the batch] topic of each, -1 for none. */
  readonly topics: Int32Array;
  /** Topics that are alive in the slice, ascending, those without a document in it too. */
  readonly alive: readonly number[];
  /** In the order in which they came about. */
  readonly events: readonly TopicEvent[];
  /** The slices before, as the model sees them now; null from a tracker that does not look back. */
  readonly past: PastSlices | null;
}

/** What was in the last slices before this one. */
export interface PastSlices {
  /** Slices that are looked back on, once there are so many. */
  readonly lookBack: number;
  /** One a slice, the latest last, of each topic that is alive. */
  readonly observations: ReadonlyMap<number, readonly PastObservation[]>;
}

/** A topic's documents in an earlier slice. */
export interface PastObservation {
  /** Documents; not whole where they were estimated from a sample. */
  size: number;
  /** [dimension] sum of their vectors. */
  readonly sum: Float64Array;
}

/**
 * Follows topics from slice to slice. Its state after a slice is a function of the documents up to there: the part of the
 * model θ_t that is fitted. What it costs to take in a slice does not grow with the slices before.
 *
 * Topics are numbered from 1 in the order in which they came about; a number is never given twice.
 */
export interface TopicTracker {
  readonly name: 'carried' | 'matched';
  /** Every setting, for the record. */
  readonly parameters: StateValue;
  /** Takes the next slice in, which may be empty. */
  advance(batch: SliceBatch): Promise<SliceAssignment>;
  /** All that the next slices depend on. */
  save(): StateValue;
  /** Goes on from what `save` gave, of a tracker with the same settings. */
  restore(state: StateValue): void;
}

/** What trackers share. */
export interface TrackerContext {
  readonly dimension: number;
  readonly product: MatrixProduct;
  readonly seed: number;
}
