import type { StateValue } from '../state/stateValue.js';

/**
 * What a topic does in a slice (temporal RAG, section 2.3):
 * - `emergence`: it is there for the first time
 * - `growth`, `decay`: markedly more, or fewer, documents than usual
 * - `drift`: its content has moved
 * - `stable`: none of these
 * - `ended`: it is there no more; its last label
 */
export type TrendLabel = 'emergence' | 'growth' | 'decay' | 'drift' | 'stable' | 'ended';

export const trendLabels: readonly TrendLabel[] = ['emergence', 'growth', 'decay', 'drift', 'stable', 'ended'];

/** What a rule sees of a topic in a slice. */
export interface TopicObservation {
  /** Documents. */
  readonly size: number;
  /** Length of the slice in milliseconds. */
  readonly span: number;
  /** [dimension] sum of the documents' vectors, each of length 1. */
  readonly sum: Float64Array;
  /** Terms that set the topic apart in the slice, heaviest first. */
  readonly terms: readonly string[];
}

/** A label, and the measures that it rests on. */
export interface Judgement<State> {
  readonly label: TrendLabel;
  /** Documents for each one expected; null where none are expected yet. */
  readonly ratio: number | null;
  /** 1 - cosine of the content now and that compared with; null where there is nothing to compare. */
  readonly drift: number | null;
  /** What the rule has to remember of the topic; a fresh object. */
  readonly state: State;
}

/**
 * Labels a topic slice by slice, from the past alone: each judgement depends on the observations so far. What has to be
 * remembered does not grow with the slices.
 */
export interface TrendRule<State extends StateValue = StateValue> {
  readonly name: 'baseline' | 'delta';
  /** Every threshold, for the record. */
  readonly parameters: Readonly<Record<string, number>>;
  /** The judgement on a topic's first slice. */
  begin(observation: TopicObservation): Judgement<State>;
  /** The judgement on a further slice, from what was remembered of the slices before. */
  next(state: State, observation: TopicObservation): Judgement<State>;
  /** What to remember once another topic has been taken in: its documents are expected here from now on. */
  merge(state: State, absorbed: State): State;
  /**
   * What to remember once part of the topic has left.
   * @param kept share of the documents that stay, in 0..1
   */
  split(state: State, kept: number): State;
}
