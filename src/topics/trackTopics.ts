import { MatrixProduct } from '../inference/MatrixProduct.js';
import type { Instant } from '../time/instant.js';
import { MemberRecorder, type SliceMembers } from './MemberRecorder.js';
import type { PublishedSlice } from './publishedSlice.js';
import { type BaselineRuleOptions, baselineRule } from './rules/baselineRule.js';
import { type DeltaRuleOptions, deltaRule } from './rules/deltaRule.js';
import type { TrendRule } from './rules/trendRule.js';
import type { SliceRule } from './slices/sliceRule.js';
import { type Timeline, type TimelineOptions, timelineAsOf } from './slices/timeline.js';
import type { StateValue } from './state/stateValue.js';
import type { TopicDocuments } from './TopicDocuments.js';
import { TopicModel } from './TopicModel.js';
import { type CarriedTrackerOptions, carriedTracker } from './trackers/carried/carriedTracker.js';
import { type MatchedTrackerOptions, matchedTracker } from './trackers/matchedTracker.js';
import type { TopicTracker, TrackerContext } from './trackers/TopicTracker.js';

/** Which tracker follows topics, with its options. */
export type TrackerChoice =
  | ({ readonly kind: 'carried' } & CarriedTrackerOptions)
  | ({ readonly kind: 'matched' } & MatchedTrackerOptions);

/** Which rule labels, with its thresholds. */
export type RuleChoice =
  | ({ readonly kind: 'baseline' } & BaselineRuleOptions)
  | ({ readonly kind: 'delta' } & DeltaRuleOptions);

/** How topics are found and labelled: the settings of a model. */
export interface TopicModelOptions {
  /** `carried` by default. */
  readonly tracker?: TrackerChoice | undefined;
  /** `baseline` by default. */
  readonly rule?: RuleChoice | undefined;
  /** Any integer; 1 by default. */
  readonly seed?: number | undefined;
}

/** How topics are tracked, and as of when. */
export interface TrackTopicsOptions extends TopicModelOptions, Omit<TimelineOptions, 'slices' | 'from'> {
  /** ISO weeks by default. */
  readonly slices?: SliceRule | undefined;
  /** Shared kernel; opened for the call where not given. */
  readonly product?: MatrixProduct | undefined;
  /** A model and what it has published so far, to go on from: slices follow after its last one. */
  readonly from?: TrackedSoFar | undefined;
  /** Called after each slice. */
  readonly onSlice?: ((slice: PublishedSlice, done: number, total: number) => void) | undefined;
  /** Called after each slice with the documents that the tracker put into each topic in it. */
  readonly onMembers?: ((slice: PublishedSlice, members: SliceMembers) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A point to go on from. */
export interface TrackedSoFar {
  /** Slices that the model has taken in, none of them provisional. */
  readonly slices: readonly PublishedSlice[];
  readonly model: StateValue;
}

/** Topics as of an instant. */
export interface TopicTracking {
  readonly asOf: Instant;
  readonly coveredUntil: Instant;
  readonly sliceRule: SliceRule;
  /** Tracker and rule with every setting. */
  readonly parameters: StateValue;
  /** In order of time; only the last ones can be provisional. */
  readonly slices: readonly PublishedSlice[];
  /** Of this call: with `from`, of documents after the slices gone on from. */
  readonly counts: Timeline['counts'];
  /** The model after the last finished slice: θ_t. */
  readonly model: {
    readonly state: StateValue;
    /** SHA-256, hexadecimal. */
    readonly hash: string;
    /** From when on it could be known; null before the first slice was over. */
    readonly availableAt: Instant | null;
    /** Newest event time among the documents that it was fitted to. */
    readonly newestObservation: Instant | null;
  };
}

/**
 * Tracks topics as of an instant: over the slices that were over by then, from the documents available by then. All later
 * documents could be deleted, and the result would be the same to the last bit.
 *
 * Takes time in proportion to the documents, and memory for one slice beside the model.
 * @throws InvalidArgumentError
 */
export async function trackTopics(documents: TopicDocuments, options: TrackTopicsOptions): Promise<TopicTracking> {
  const sliceRule = options.slices ?? { kind: 'iso-week' };
  const before = options.from?.slices ?? [];
  const timeline = timelineAsOf(documents, { ...options, slices: sliceRule, from: before.at(-1)?.end });
  const product = options.product ?? (await MatrixProduct.open());
  try {
    const recorder = new MemberRecorder();
    const seen = recorder.documents(documents);
    const context = { dimension: documents.dimension, product, seed: options.seed ?? 1 };
    const tracker = recorder.tracker(createTracker(context, options.tracker));
    const model = new TopicModel(tracker, createRule(options.rule));
    const slices: PublishedSlice[] = [...before];
    if (options.from !== undefined) model.restore(options.from.model);
    for (const [index, slice] of timeline.slices.entries()) {
      options.signal?.throwIfAborted();
      const published = await (slice.provisional ? model.preview(slice, seen) : model.takeIn(slice, seen));
      slices.push(published);
      options.onSlice?.(published, index + 1, timeline.slices.length);
      options.onMembers?.(published, recorder.last);
    }
    const { asOf, coveredUntil, counts } = timeline;
    return {
      asOf,
      coveredUntil,
      sliceRule,
      parameters: model.parameters,
      slices,
      counts,
      model: {
        state: model.save(),
        hash: model.hash(),
        availableAt: slices.findLast(({ provisional }) => !provisional)?.knownAt ?? null,
        newestObservation: model.newestObservation,
      },
    };
  } finally {
    if (options.product === undefined) await product.close();
  }
}

/** A model that has seen nothing. */
export function createModel(context: TrackerContext, options: TopicModelOptions): TopicModel {
  return new TopicModel(createTracker(context, options.tracker), createRule(options.rule));
}

function createTracker(context: TrackerContext, choice: TrackerChoice = { kind: 'carried' }): TopicTracker {
  return choice.kind === 'carried' ? carriedTracker(context, choice) : matchedTracker(context, choice);
}

/** The rule of a choice; `baseline` where none is given. */
export function createRule(choice: RuleChoice = { kind: 'baseline' }): TrendRule {
  // A rule is given nothing but states of its own.
  return (choice.kind === 'baseline' ? baselineRule(choice) : deltaRule(choice)) as unknown as TrendRule;
}
