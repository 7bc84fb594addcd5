import type {
  FreshnessEvaluation,
  MethodResult,
  SweepResult,
} from '../../evaluation/freshnessEvaluation/evaluateFreshness.js';
import type { FreshnessMetric } from '../../evaluation/freshnessEvaluation/measureRanking.js';
import type { LeakageAt, StatisticsLeakage } from '../../evaluation/freshnessEvaluation/statisticsLeakage.js';
import { type Duration, formatDuration } from '../../time/duration.js';
import { formatInstant } from '../../time/formatInstant.js';

/** What `asof evaluate freshness` found, whole. */
export interface FreshnessResults extends FreshnessEvaluation {
  readonly leakage: readonly StatisticsLeakage[];
}

/** A share with three decimals, as freshness measures are printed; `-` where it is not defined. */
export function shareText(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}

export function signedShareText(value: number | null): string {
  if (value === null) return '-';
  const text = Math.abs(value).toFixed(3);
  return Number(text) === 0 ? text : `${value < 0 ? '-' : '+'}${text}`;
}

export function halfLifeText(halfLife: Duration | 'adaptive'): string {
  return halfLife === 'adaptive' ? halfLife : formatDuration(halfLife);
}

/** Names of the measures at a cutoff, in the order of `methodRow`. */
export function metricNames(cutoff: number): string[] {
  return metricOrder.map(([, name]) => name.replace('@k', `@${cutoff}`));
}

const metricOrder: readonly (readonly [FreshnessMetric, string])[] = [
  ['latest', 'Latest@k'],
  ['latestSet', 'Latest-Set@k'],
  ['expectedLatest', 'E[Latest@k]'],
  ['expectedLatestSet', 'E[Latest-Set@k]'],
  ['ndcg', 'nDCG@k'],
  ['precision', 'P@k'],
  ['asOfCorrectness', 'as-of correct'],
];

export function methodRow({ method, means }: MethodResult): string[] {
  return [method, ...metricOrder.map(([metric]) => shareText(means[metric].mean))];
}

/** One query under one method, in the order of `metricNames`. */
export function queryRow(evaluation: FreshnessEvaluation, query: number, result: MethodResult): string[] {
  const { id, searched, asOf, relevant } = evaluation.queries[query]!;
  const values = result.perQuery[query]!;
  return [
    id,
    searched,
    formatInstant(asOf),
    String(relevant),
    ...metricOrder.map(([metric]) => shareText(values[metric])),
  ];
}

export const selectionHeader = ['method', 'best with hindsight', 'hindsight', 'pit', 'parameter leakage'] as const;

export function selectionRow({ method, alphas, halfLives, selection }: SweepResult): string[] {
  const { hindsight, pit, parameterLeakage } = selection;
  const choice = hindsight.chosen[0] ?? 0;
  const alpha = alphas[Math.floor(choice / halfLives.length)];
  const halfLife = halfLives[choice % halfLives.length];
  const name = alpha === undefined || halfLife === undefined ? 'default' : `alpha ${alpha}, ${halfLifeText(halfLife)}`;
  return [method, name, shareText(hindsight.mean), shareText(pit.mean), signedShareText(parameterLeakage)];
}

export const leakageHeader = [
  'as of',
  'documents',
  'queries',
  'changed lists',
  'changed entries',
  'Latest-Set of D_t',
  'difference',
  'P of D_t',
  'difference',
] as const;

export function leakageRow(at: LeakageAt): string[] {
  const { asOf, documents, queries, changedLists, changedEntries, honest, differences } = at;
  return [
    formatInstant(asOf),
    String(documents),
    String(queries),
    shareText(changedLists),
    shareText(changedEntries),
    shareText(honest.latestSet),
    signedShareText(differences.latestSet),
    shareText(honest.precision),
    signedShareText(differences.precision),
  ];
}
