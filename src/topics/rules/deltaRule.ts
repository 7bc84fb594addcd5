import { termDistance } from '../terms/classTerms.js';
import { centroidCosine } from './contentDrift.js';
import type { TopicObservation, TrendLabel, TrendRule } from './trendRule.js';

/** Thresholds of the slice-to-slice rule. */
export interface DeltaRuleOptions {
  /** 1 - cosine of the centroids from which content has drifted; 0.2 by default. */
  readonly drift?: number | undefined;
  /** 1 - Jaccard of the top six terms from which it has drifted; 0.6 by default. */
  readonly termDrift?: number | undefined;
  /** Below this multiple of the previous slice it decays; 0.5 by default. */
  readonly decay?: number | undefined;
  /** Above this multiple of the previous slice it grows; 1.5 by default. */
  readonly growth?: number | undefined;
  /** Documents without which nothing grows; 30 by default. */
  readonly growthSize?: number | undefined;
}

/** The previous slice. */
export type DeltaState = { readonly size: number; readonly sum: Float64Array; readonly terms: readonly string[] };

const comparedTerms = 6;

/**
 * Rule `delta`, the paper's heuristic (temporal RAG, section 2.3): each slice against the one before. Drift by the
 * centroids or by the terms; volume overrides it. It fires at transitions only: a state that lasts is `stable`.
 */
export function deltaRule(options: DeltaRuleOptions = {}): TrendRule<DeltaState> {
  const { drift = 0.2, termDrift = 0.6, decay = 0.5, growth = 1.5, growthSize = 30 } = options;
  const remember = ({ size, sum, terms }: TopicObservation): DeltaState => {
    return { size, sum, terms: terms.slice(0, comparedTerms) };
  };
  return {
    name: 'delta',
    parameters: { drift, termDrift, decay, growth, growthSize },
    begin: (observation) => ({ label: 'emergence', ratio: null, drift: null, state: remember(observation) }),
    next(before, observation) {
      const state = remember(observation);
      const comparable = before.size > 0 && state.size > 0;
      const moved = comparable ? 1 - centroidCosine(before.sum, state.sum) : Number.NaN;
      let label: TrendLabel = 'stable';
      if (moved >= drift || (comparable && termDistance(before.terms, state.terms) >= termDrift)) label = 'drift';
      if (state.size < decay * before.size) label = 'decay';
      if (state.size > growth * before.size && state.size >= growthSize) label = 'growth';
      const ratio = before.size > 0 ? state.size / before.size : null;
      return { label, ratio, drift: Number.isNaN(moved) ? null : moved, state };
    },
    merge: (state, absorbed) => ({
      size: state.size + absorbed.size,
      sum: state.sum.map((value, i) => value + absorbed.sum[i]!),
      terms: state.terms,
    }),
    split: (state, kept) => ({ ...state, size: state.size * kept }),
  };
}
