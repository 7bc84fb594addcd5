import type { Instant } from '../../time/instant.js';
import type { IndexSnapshot } from '../bm25/IndexSnapshot.js';
import { SegmentedSnapshot } from '../bm25/SegmentedSnapshot.js';
import type { FreshnessCandidates } from './candidates.js';
import { matchTerms } from './matchTerms.js';

/** What the candidates of a query are taken from: two indexes over the same rows, cut at the same snapshot. */
export interface TermSource {
  readonly snapshot: IndexSnapshot;
  /** The same snapshot of an index by `namesOf(snapshot.index.analyzer)`; absent: idf alone weighs the terms. */
  readonly names?: IndexSnapshot | undefined;
  /** [at least snapshot size] epoch milliseconds, NaN where unknown. */
  readonly eventAt: Float64Array;
  /** [at least snapshot size] the tie-breaker of each row (`corpus.idOrder`). */
  readonly idOrder: Uint32Array;
}

/**
 * All live rows of a snapshot that hold at least one term of a query, rows ascending, with their terms (see `matchTerms`).
 *
 * @param statistics indexes that terms are read and counted by; the snapshot's own unless something is to be shown
 */
export function termCandidates(
  source: TermSource,
  query: string,
  asOf: Instant,
  statistics: Pick<TermSource, 'snapshot' | 'names'> = source,
): FreshnessCandidates {
  const { eventAt, idOrder } = source;
  const snapshot = whole(source.snapshot);
  const { rows, terms } = matchTerms(snapshot, query, source.snapshot.index.analyzer, {
    words: statistics.snapshot === source.snapshot ? snapshot : whole(statistics.snapshot),
    names: statistics.names && whole(statistics.names),
  });
  return {
    asOf,
    rows,
    ties: rows.map((row) => idOrder[row]!),
    eventAt: Float64Array.from(rows, (row) => eventAt[row]!),
    terms,
  };
}

function whole(snapshot: IndexSnapshot): SegmentedSnapshot {
  return new SegmentedSnapshot([snapshot], [0]);
}
