import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { NonFiniteScoreError } from '../../errors/NonFiniteScoreError.js';
import type { Instant } from '../../time/instant.js';

/**
 * What the snapshot D_t offers for one query: rows that may be returned as of t, column by column, in any order. The scoring
 * sees nothing else, so it cannot see anything later than t.
 */
export interface FreshnessCandidates {
  /** t. */
  readonly asOf: Instant;
  /** [n] row of each candidate; carried through, never compared. */
  readonly rows: Uint32Array;
  /** [n] tie keys of the one comparator, distinct: base rank where there is a base list, else the order of ids. */
  readonly ties: Uint32Array;
  /** [n] event time in epoch milliseconds; NaN where unknown. */
  readonly eventAt: Float64Array;
  /**
   * [n] semantic relevance: cosine, BM25 or a fusion; finite. The method `coverage` does not read it: absent, the coverage
   * takes its place in explanations.
   */
  readonly similarity?: Float64Array | undefined;
  /** The query's terms in the candidates; the method `coverage` needs them. */
  readonly terms?: CandidateTerms | undefined;
}

/** The terms of a query in the snapshot and in the candidates. Rows that hold none of the terms need not be candidates. */
export interface CandidateTerms {
  /** [m] distinct analyzed terms of the query (temporal words taken out), in order of first position. */
  readonly texts: readonly string[];
  /** [m] live documents of the snapshot that hold each term; 0 for a term that none holds. */
  readonly documentFrequencies: Uint32Array;
  /**
   * [m] how often the snapshot writes each term as a name, in (0, 1] (see `namenessOf`). Absent: nothing is known of
   * spelling, and inverse document frequency alone weighs the terms.
   */
  readonly namenesses?: Float64Array | undefined;
  /** N: live documents of the snapshot. */
  readonly documentCount: number;
  /** [n, m] row-major: how often each candidate holds each term, capped at 255. */
  readonly frequencies: Uint8Array;
}

/** @throws InvalidArgumentError when the columns do not fit together; NonFiniteScoreError for a similarity that is NaN */
export function checkCandidates({ rows, ties, eventAt, similarity, terms }: FreshnessCandidates): void {
  const count = rows.length;
  const refuse = (argument: string, value: unknown, expected: string) =>
    new InvalidArgumentError({ argument, value, expected });
  if (ties.length !== count) throw refuse('ties', ties.length, `${count} tie keys, one for each candidate`);
  if (eventAt.length !== count) throw refuse('eventAt', eventAt.length, `${count} times, one for each candidate`);
  if (similarity !== undefined && similarity.length !== count) {
    throw refuse('similarity', similarity.length, `${count} scores, one for each candidate`);
  }
  for (let at = 0; similarity !== undefined && at < count; at++) {
    const score = similarity[at]!;
    if (score - score !== 0) throw new NonFiniteScoreError({ source: 'similarity', item: `row ${rows[at]}`, score });
  }
  if (terms === undefined) return;
  const { texts, documentFrequencies, namenesses, frequencies } = terms;
  if (documentFrequencies.length !== texts.length) {
    throw refuse('documentFrequencies', documentFrequencies.length, `${texts.length}, one for each term`);
  }
  if (namenesses !== undefined && namenesses.length !== texts.length) {
    throw refuse('namenesses', namenesses.length, `${texts.length}, one for each term`);
  }
  if (frequencies.length !== count * texts.length) {
    throw refuse('frequencies', frequencies.length, `${count} x ${texts.length}, candidates by terms`);
  }
}
