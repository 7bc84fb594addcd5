import type { Corpus } from '../../corpus/corpus.js';
import type { FreshnessRanking } from '../../retrieval/freshness/rankFreshness.js';
import type { Instant } from '../../time/instant.js';
import {
  asOfCorrectnessAt,
  expectedLatestAt,
  expectedLatestSetAt,
  latestAt,
  latestSetAt,
  newestRelevant,
} from '../freshness.js';
import { ProductHits } from '../productHits.js';
import { ndcgAt, precisionAt } from '../rankedMetrics.js';

/** Measures of one ranking (temporal-layer specification, section 5), each at a cutoff k. NaN: not defined. */
export const freshnessMetrics = [
  'latest',
  'latestSet',
  'expectedLatest',
  'expectedLatestSet',
  'ndcg',
  'precision',
  'asOfCorrectness',
] as const;

export type FreshnessMetric = (typeof freshnessMetrics)[number];

/**
 * Measures a ranking as of t.
 *
 * @param relevant relevant rows of the snapshot D_t, ascending
 * @param depth the depth that the ranking was cut at: where it is as long, its last ties may go on beyond its end
 */
export function measureRanking(
  ranking: FreshnessRanking,
  relevant: Uint32Array,
  corpus: Pick<Corpus, 'eventAt' | 'availableAt'>,
  asOf: Instant,
  cutoff: number,
): Record<FreshnessMetric, number> {
  const { rows, scores, settings } = ranking;
  const newest = newestRelevant(relevant, corpus.eventAt, asOf);
  const hits = new ProductHits().locate(rows, relevant);
  const list = { rows, scores, truncated: rows.length === settings.depth };
  return {
    latest: latestAt(rows, newest, cutoff),
    latestSet: latestSetAt(rows, newest, cutoff),
    expectedLatest: expectedLatestAt(list, newest, cutoff),
    expectedLatestSet: expectedLatestSetAt(list, newest, cutoff),
    ndcg: ndcgAt(hits, cutoff),
    precision: precisionAt(hits, cutoff),
    asOfCorrectness: asOfCorrectnessAt(rows, corpus.availableAt, asOf, cutoff),
  };
}
