import { snapshotSize } from '../../corpus/corpus.js';
import type { FreshnessMethod } from '../../retrieval/freshness/options.js';
import { rankFreshness } from '../../retrieval/freshness/rankFreshness.js';
import type { Instant } from '../../time/instant.js';
import { definedMean } from '../definedMean.js';
import { productAsOf } from '../freshness.js';
import { intentOf } from './evaluateFreshness.js';
import type { FreshnessData } from './freshnessData.js';
import { type FreshnessMetric, measureRanking } from './measureRanking.js';
import type { SnapshotRanker, StatisticsOf } from './SnapshotRanker.js';

/** The measures that are compared. */
const compared = ['latest', 'latestSet', 'ndcg', 'precision'] as const satisfies readonly FreshnessMetric[];

type Compared = (typeof compared)[number];

/** What statistics of the full corpus change in the answers as of one t, over all queries. */
export interface LeakageAt {
  readonly asOf: Instant;
  /** Documents in D_t. */
  readonly documents: number;
  /** Queries with a relevant document in D_t: those that count. */
  readonly queries: number;
  /** Share of these whose top k is not the same list. */
  readonly changedLists: number | null;
  /** Mean share of the top k of D_t's statistics that the others leave out. */
  readonly changedEntries: number | null;
  /** Mean with full statistics less mean with those of D_t. */
  readonly differences: Readonly<Record<Compared, number | null>>;
  /** Means with the statistics of D_t. */
  readonly honest: Readonly<Record<Compared, number | null>>;
}

export interface StatisticsLeakage {
  readonly method: FreshnessMethod | 'bm25';
  readonly cutoff: number;
  readonly at: readonly LeakageAt[];
}

/**
 * Statistics leakage (temporal-layer specification, section 5; ours): the same rows ranked as of t with document
 * frequencies, lengths and spelling counted in D_t, and counted in the full corpus, which has seen the future.
 *
 * @param times the values of t; each query is asked as of each
 */
export async function statisticsLeakage(
  data: FreshnessData,
  ranker: SnapshotRanker,
  options: {
    readonly method: 'coverage' | 'bm25';
    readonly cutoff: number;
    readonly times: readonly Instant[];
    readonly readsIntent: boolean;
  },
): Promise<StatisticsLeakage> {
  const { corpus } = data;
  const { method, cutoff, times, readsIntent } = options;
  const rank = async (query: FreshnessData['queries'][number], statistics: StatisticsOf) => {
    const intent = intentOf(query, readsIntent);
    if (method === 'coverage') return rankFreshness(ranker.byTerms(intent, statistics), { method, depth: cutoff });
    const candidates = await ranker.bySimilarity(intent, 'lexical', statistics);
    return rankFreshness(candidates, { method: 'similarity', depth: cutoff });
  };
  const at: LeakageAt[] = [];
  for (const asOf of times) {
    const size = snapshotSize(corpus, asOf);
    const lists: number[] = [];
    const entries: number[] = [];
    const honest = emptyValues();
    const leaking = emptyValues();
    for (const [number, { id, text }] of data.queries.entries()) {
      const relevant = productAsOf(data.relevant[number]!, size);
      if (relevant.length === 0) continue;
      const query = { id, text, asOf };
      const right = await rank(query, 'snapshot');
      const wrong = await rank(query, 'corpus');
      const left = right.rows.filter((row) => !wrong.rows.includes(row)).length;
      entries.push(right.rows.length === 0 ? 0 : left / right.rows.length);
      lists.push(
        right.rows.length === wrong.rows.length && right.rows.every((row, i) => row === wrong.rows[i]) ? 0 : 1,
      );
      const rightValues = measureRanking(right, relevant, corpus, asOf, cutoff);
      const wrongValues = measureRanking(wrong, relevant, corpus, asOf, cutoff);
      for (const metric of compared) {
        honest[metric].push(rightValues[metric]);
        leaking[metric].push(wrongValues[metric]);
      }
    }
    const differences = mapCompared((metric) =>
      mean(leaking[metric].map((value, query) => value - honest[metric][query]!)),
    );
    at.push({
      asOf,
      documents: size,
      queries: lists.length,
      changedLists: mean(lists),
      changedEntries: mean(entries),
      differences,
      honest: mapCompared((metric) => mean(honest[metric])),
    });
  }
  return { method, cutoff, at };
}

/** Instants that cut the corpus into equal parts by number of documents, the last one excluded. */
export function evenTimes(availableAt: Float64Array, count: number): Instant[] {
  const finite = availableAt.filter(Number.isFinite);
  const times = Array.from({ length: count }, (_, at) => finite[Math.floor(((at + 1) * finite.length) / (count + 1))]);
  return [...new Set(times.filter((time) => time !== undefined))];
}

function emptyValues(): Record<Compared, number[]> {
  return { latest: [], latestSet: [], ndcg: [], precision: [] };
}

function mapCompared<T>(value: (metric: Compared) => T): Record<Compared, T> {
  return {
    latest: value('latest'),
    latestSet: value('latestSet'),
    ndcg: value('ndcg'),
    precision: value('precision'),
  };
}

function mean(values: readonly number[]): number | null {
  return definedMean(Float64Array.from(values)).mean;
}
