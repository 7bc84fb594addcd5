import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { type Baseline, expectedSize, extendBaseline, scaleBaseline, sumBaselines } from './baseline.js';
import { sampledCosine } from './contentDrift.js';
import type { TopicObservation, TrendLabel, TrendRule } from './trendRule.js';

/** Thresholds of the baseline rule; `asof topics` has an option for each. */
export interface BaselineRuleOptions {
  /** Slices that make the baseline: the topic's first ones; 4 by default. */
  readonly window?: number | undefined;
  /** 1 - cosine of content now and in the baseline from which it has drifted; 0.2 by default. */
  readonly drift?: number | undefined;
  /** Multiple of the baseline's median from which it grows; 1.5 by default. */
  readonly growth?: number | undefined;
  /** Multiple of the baseline's median down to which it decays; 0.5 by default. */
  readonly decay?: number | undefined;
  /**
   * Share of the way to a threshold that is enough where two slices in a row have gone it: with 0.5, two slices at 1.25
   * times the baseline are growth as one at 1.5 is. 1 makes every slice stand for itself. 0.5 by default.
   */
  readonly sustained?: number | undefined;
  /** Standard deviations of a Poisson count by which volume must differ from what is expected; 2 by default, 0 for none. */
  readonly evidence?: number | undefined;
  /** Slices after which a state is the new baseline; 13 by default, a quarter of weeks; 0 for never. */
  readonly settle?: number | undefined;
}

/** What the baseline rule remembers of a topic. */
export type BaselineState = {
  readonly base: Baseline;
  /** The baseline to come, once the present state has lasted long enough. */
  readonly next: Baseline | null;
  /** Documents in the last slice, and those expected. */
  readonly size: number;
  readonly expected: number;
  /** Drift of the last slice that was large enough to tell; null before. */
  readonly moved: number | null;
  readonly drifting: boolean;
  readonly label: TrendLabel;
  /** Slices that the label has lasted. */
  readonly age: number;
};

/**
 * Rule `baseline`: each slice against the topic's own baseline, the median of its first slices (temporal RAG, section
 * 5.4). Drift comes first, then growth and decay. A state is reported over the whole span that it lasts.
 *
 * Ours: volumes are compared per unit of time, so that slices may differ in length; two slices in a row count where both
 * have gone half of the way (`sustained`; after the run rules of control charts, Western Electric 1956); a difference
 * that a count of that size may show by chance is none (`evidence`); a state that has become usual is the new baseline
 * (`settle`); drift is measured without the bias of small samples.
 *
 * While the baseline forms, a topic is `emergence` in its first slice, then `stable`.
 * @throws InvalidArgumentError for thresholds that cannot be
 */
export function baselineRule(options: BaselineRuleOptions = {}): TrendRule<BaselineState> {
  const given = Object.entries(options).filter(([key, value]) => value !== undefined && key in defaults);
  const parameters: typeof defaults = { ...defaults, ...Object.fromEntries(given) };
  checkParameters(parameters);
  const { window, drift, growth, decay, sustained, evidence, settle } = parameters;

  /** Whether a volume differs by more than chance from what is expected. */
  const isEvident = (size: number, expected: number) =>
    size !== expected && Math.abs(size - expected) >= evidence * Math.sqrt(Math.max(1, expected));

  /** @param share of the way from what is expected to the threshold */
  const reaches = (threshold: number, share: number, size: number, expected: number) => {
    const bound = (1 + (threshold - 1) * share) * expected;
    return threshold > 1 ? size >= bound : size <= bound;
  };

  const isBeyond = (threshold: number, before: BaselineState, size: number, expected: number) => {
    if (reaches(threshold, 1, size, expected)) return isEvident(size, expected);
    return (
      reaches(threshold, sustained, size, expected) &&
      reaches(threshold, sustained, before.size, before.expected) &&
      isEvident(size + before.size, expected + before.expected)
    );
  };

  return {
    name: 'baseline',
    parameters,
    begin(observation) {
      const state = forming(extendBaseline(null, observation), observation, 'emergence');
      return { label: 'emergence', ratio: null, drift: null, state };
    },
    next(before, observation) {
      if (before.base.sizes.length < window) {
        const state = forming(extendBaseline(before.base, observation), observation, 'stable');
        return { label: 'stable', ratio: null, drift: null, state };
      }
      const { size } = observation;
      const expected = expectedSize(before.base, observation.span);
      const moved = 1 - sampledCosine(observation.sum, size, before.base.sum, before.base.documents);
      // A slice too small to tell leaves content as it was.
      const isTold = !Number.isNaN(moved);
      const drifting = isTold
        ? moved >= drift || (moved >= sustained * drift && (before.moved ?? 0) >= sustained * drift)
        : before.drifting;
      const volume: TrendLabel = isBeyond(growth, before, size, expected)
        ? 'growth'
        : isBeyond(decay, before, size, expected)
          ? 'decay'
          : 'stable';
      const label = drifting && size > 0 ? 'drift' : volume;
      const state = settled(
        {
          base: before.base,
          next: before.next,
          size,
          expected,
          moved: isTold ? moved : before.moved,
          drifting,
          label,
          age: label === before.label ? before.age + 1 : 1,
        },
        observation,
      );
      const ratio = expected > 0 ? size / expected : null;
      return { label, ratio, drift: isTold ? moved : null, state };
    },
    merge: (state, absorbed) => ({ ...state, base: sumBaselines(state.base, absorbed.base), next: null }),
    split: (state, kept) => ({ ...state, base: scaleBaseline(state.base, kept), next: null }),
  };

  /** A state that has lasted `settle` slices is over: its last slices are the baseline from then on. */
  function settled(state: BaselineState, observation: TopicObservation): BaselineState {
    if (settle === 0 || state.label === 'stable' || state.age <= settle - window) return { ...state, next: null };
    const next = extendBaseline(state.next, observation);
    return state.age < settle ? { ...state, next } : forming(next, observation, 'stable');
  }
}

const defaults = { window: 4, drift: 0.2, growth: 1.5, decay: 0.5, sustained: 0.5, evidence: 2, settle: 13 };

/** The state of a topic of which only the baseline is known. */
function forming(base: Baseline, { size }: TopicObservation, label: TrendLabel): BaselineState {
  return { base, next: null, size, expected: size, moved: null, drifting: false, label, age: 1 };
}

function checkParameters(parameters: typeof defaults): void {
  const { window, growth, decay, drift, sustained, evidence, settle } = parameters;
  const check = (holds: boolean, argument: keyof typeof defaults, expected: string) => {
    if (!holds) throw new InvalidArgumentError({ argument, value: parameters[argument], expected });
  };
  check(Number.isInteger(window) && window >= 1, 'window', 'an integer of at least 1');
  check(growth > 1, 'growth', 'a number above 1');
  check(decay >= 0 && decay < 1, 'decay', 'a number from 0 up to, not including, 1');
  check(drift > 0 && drift <= 2, 'drift', 'a number above 0 and up to 2');
  check(sustained > 0 && sustained <= 1, 'sustained', 'a number above 0 and up to 1');
  check(evidence >= 0, 'evidence', 'a number of at least 0');
  check(settle === 0 || (Number.isInteger(settle) && settle >= window), 'settle', `0, or ${window} slices or more`);
}
