import { snapshotSize } from '../../corpus/corpus.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { FreshnessCandidates } from '../../retrieval/freshness/candidates.js';
import { type FreshnessMethod, freshnessSettings } from '../../retrieval/freshness/options.js';
import { type FreshnessRanking, rankFreshness } from '../../retrieval/freshness/rankFreshness.js';
import { type TemporalIntent, temporalIntent, withoutTemporalIntent } from '../../retrieval/intent/temporalIntent.js';
import type { Duration } from '../../time/duration.js';
import { type DefinedMean, definedMean } from '../definedMean.js';
import { productAsOf } from '../freshness.js';
import { requireCutoff } from '../productHits.js';
import type { FreshnessData, FreshnessQuery } from './freshnessData.js';
import { type FreshnessMetric, freshnessMetrics, measureRanking } from './measureRanking.js';
import type { Similarity, SnapshotRanker } from './SnapshotRanker.js';
import { compareSelections, type SelectionComparison } from './selection.js';

export interface FreshnessEvaluationOptions {
  /** k. */
  readonly cutoff: number;
  /** What the methods that rank by similarity take it from. */
  readonly similarity: Similarity;
  /** Whether words of a query about time are interpreted. */
  readonly readsIntent: boolean;
  readonly methods: readonly FreshnessMethod[];
  /** The grid of the sweep. */
  readonly alphas: readonly number[];
  readonly halfLives: readonly (Duration | 'adaptive')[];
  /** Methods that are swept. */
  readonly sweeps: readonly ('fused' | 'coverage')[];
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A method at its defaults. */
export interface MethodResult {
  readonly method: FreshnessMethod;
  readonly means: Readonly<Record<FreshnessMetric, DefinedMean>>;
  /** [queries] null where not defined. */
  readonly perQuery: readonly Readonly<Record<FreshnessMetric, number | null>>[];
}

/** Means over a grid of alpha and half-life, in row-major order: one row an alpha, one column a half-life. */
export interface SweepResult {
  readonly method: 'fused' | 'coverage';
  readonly alphas: readonly number[];
  readonly halfLives: readonly (Duration | 'adaptive')[];
  /** [alphas x halfLives] null where no query defines the metric. */
  readonly latest: readonly (number | null)[];
  readonly latestSet: readonly (number | null)[];
  readonly precision: readonly (number | null)[];
  readonly ndcg: readonly (number | null)[];
  /** Choosing among the settings of the grid and the default by Latest@k. */
  readonly selection: SelectionComparison;
}

export interface FreshnessEvaluation {
  readonly cutoff: number;
  readonly similarity: Similarity;
  readonly queries: readonly (FreshnessQuery & { readonly searched: string; readonly relevant: number })[];
  /** Queries without a relevant document as of their t: they are answered, and no metric is defined for them. */
  readonly withoutRelevant: readonly string[];
  readonly methods: readonly MethodResult[];
  readonly sweeps: readonly SweepResult[];
}

/**
 * Evaluates freshness (temporal-layer specification, section 5): every method at its defaults, a sweep over alpha and
 * half-life, and what choosing them with hindsight is worth. Relevance labels are used to measure, never to rank.
 *
 * @throws InvalidArgumentError for a grid out of bounds, or a cutoff that is no positive integer
 */
export async function evaluateFreshness(
  data: FreshnessData,
  ranker: SnapshotRanker,
  options: FreshnessEvaluationOptions,
): Promise<FreshnessEvaluation> {
  const { corpus, queries } = data;
  const { cutoff, similarity, alphas, halfLives } = options;
  requireCutoff(cutoff);
  if (queries.length === 0) throw new InvalidArgumentError({ argument: 'queries', value: 0, expected: 'a query' });
  for (const alpha of alphas) {
    for (const halfLife of halfLives) freshnessSettings({ method: 'fused', alpha, halfLife, depth: cutoff });
  }
  const methods = options.methods.map((method) => ({ method, values: newMeasures(queries.length) }));
  const settings = alphas.flatMap((alpha) => halfLives.map((halfLife) => ({ alpha, halfLife })));
  const sweeps = options.sweeps.map((method) => ({
    method,
    grid: settings.map(() => newMeasures(queries.length)),
    atDefault: newMeasures(queries.length),
  }));
  const relevants = data.relevant.map((rows, query) => productAsOf(rows, snapshotSize(corpus, queries[query]!.asOf)));
  const intents: TemporalIntent[] = [];
  for (const [at, query] of queries.entries()) {
    options.onProgress?.(at, queries.length);
    const intent = intentOf(query, options.readsIntent);
    intents.push(intent);
    const byTerms = ranker.byTerms(intent);
    const needsSimilarity = [...options.methods, ...options.sweeps].some((method) => method !== 'coverage');
    const bySimilarity = needsSimilarity ? await ranker.bySimilarity(intent, similarity) : byTerms;
    const candidatesOf = (method: FreshnessMethod) => (method === 'coverage' ? byTerms : bySimilarity);
    const measure = (ranking: FreshnessRanking, into: Measures) =>
      record(into, at, measureRanking(ranking, relevants[at]!, corpus, query.asOf, cutoff));
    for (const { method, values } of methods) {
      measure(rankAll(candidatesOf(method), { method, halfLife: spanFor(method, intent) }), values);
    }
    for (const { method, grid, atDefault } of sweeps) {
      const candidates = candidatesOf(method);
      measure(rankFreshness(candidates, { method, depth: cutoff }), atDefault);
      for (const [number, setting] of settings.entries()) {
        measure(rankFreshness(candidates, { method, ...setting, depth: cutoff }), grid[number]!);
      }
    }
  }
  options.onProgress?.(queries.length, queries.length);
  const times = queries.map(({ asOf }) => asOf);
  return {
    cutoff,
    similarity,
    queries: queries.map((query, at) => ({
      ...query,
      searched: intents[at]!.text,
      relevant: relevants[at]!.length,
    })),
    withoutRelevant: queries.filter((_, at) => relevants[at]!.length === 0).map(({ id }) => id),
    methods: methods.map(({ method, values }) => ({
      method,
      means: meansOf(values),
      perQuery: queries.map((_, at) => rowOf(values, at)),
    })),
    sweeps: sweeps.map(({ method, grid, atDefault }) => {
      const means = (metric: FreshnessMetric) => grid.map((measures) => definedMean(measures[metric]).mean);
      const candidates = [...grid, atDefault].map(({ latest }) => latest);
      return {
        method,
        alphas,
        halfLives,
        latest: means('latest'),
        latestSet: means('latestSet'),
        precision: means('precision'),
        ndcg: means('ndcg'),
        selection: compareSelections(candidates, times, candidates.length - 1),
      };
    }),
  };
}

export function intentOf(query: FreshnessQuery, readsIntent: boolean): TemporalIntent {
  return readsIntent ? temporalIntent(query.text, query.asOf) : withoutTemporalIntent(query.text, query.asOf);
}

/** A query that says how long ago is recent says the half-life; the paper's score stays at the paper's. */
function spanFor(method: FreshnessMethod, { recentSpan }: TemporalIntent): Duration | undefined {
  return method === 'coverage' && recentSpan !== null ? recentSpan : undefined;
}

/** The whole ranking, so that ties at the cut are seen to their end. */
function rankAll(
  candidates: FreshnessCandidates,
  options: { method: FreshnessMethod; halfLife: Duration | undefined },
): FreshnessRanking {
  return rankFreshness(candidates, { ...options, depth: candidates.rows.length + 1 });
}

type Measures = Record<FreshnessMetric, Float64Array>;

function newMeasures(queries: number): Measures {
  return Object.fromEntries(freshnessMetrics.map((metric) => [metric, new Float64Array(queries)])) as Measures;
}

function record(into: Measures, query: number, values: Readonly<Record<FreshnessMetric, number>>): void {
  for (const metric of freshnessMetrics) into[metric][query] = values[metric];
}

function meansOf(measures: Measures): Record<FreshnessMetric, DefinedMean> {
  return Object.fromEntries(freshnessMetrics.map((metric) => [metric, definedMean(measures[metric])])) as Record<
    FreshnessMetric,
    DefinedMean
  >;
}

function rowOf(measures: Measures, query: number): Record<FreshnessMetric, number | null> {
  return Object.fromEntries(
    freshnessMetrics.map((metric) => {
      const value = measures[metric][query]!;
      return [metric, Number.isNaN(value) ? null : value];
    }),
  ) as Record<FreshnessMetric, number | null>;
}
