import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Duration } from '../../time/duration.js';
import { type Instant, isInstant, millisecondsPerDay } from '../../time/instant.js';
import { findTimePhrases, type TimePhrase } from './timePhrases.js';

/** What a query says about time, and what is left of it to search for. */
export interface TemporalIntent {
  /** The query without its temporal words; the whole query where nothing else is in it. */
  readonly text: string;
  /** The instant to answer for: t, or an earlier one that the query asks for. Never later than t. */
  readonly asOf: Instant;
  /** Event times asked for, `from <= eventAt < before`; null where open. Wished for, not required, unless `isStrict`. */
  readonly from: Instant | null;
  readonly before: Instant | null;
  /**
   * Whether event times outside the stretch must be left out (`in 2019`, `before May 2020`), or the stretch only says what
   * counts as recent (`last week`).
   */
  readonly isStrict: boolean;
  /** Whether the query asks for the newest (`latest`, `recent`, `last week`). */
  readonly wantsLatest: boolean;
  /** How long ago is still recent, by the query's own words, a day at least: a half-life to use; null where it says nothing. */
  readonly recentSpan: Duration | null;
  /** The words that were understood, in order, and how: for people. */
  readonly phrases: readonly TimePhrase[];
}

/** What a query means when its words about time are not to be interpreted. */
export function withoutTemporalIntent(query: string, asOf: Instant): TemporalIntent {
  return {
    text: query,
    asOf,
    from: null,
    before: null,
    isStrict: false,
    wantsLatest: false,
    recentSpan: null,
    phrases: [],
  };
}

/**
 * Reads the temporal intent of an English query (specification, retrieve as of t; ours): `latest`, `as of 12 Dec 2021`,
 * `in 2019`, `between 2018 and 2019`, `before the 2.0 release on 3 May 2020`, `since March 2020`, `last week`.
 *
 * Relative dates count from t. Whatever the query says, `asOf` is at most t and `before` at most just after it: words can
 * narrow what is eligible, never widen it. `as of` a day, month or year means its end.
 *
 * @param t the instant that the caller answers for
 * @throws InvalidArgumentError when t is no instant
 */
export function temporalIntent(query: string, t: Instant): TemporalIntent {
  if (!isInstant(t)) throw new InvalidArgumentError({ argument: 't', value: t, expected: 'an instant' });
  const phrases = findTimePhrases(query, t);
  let asOf = t;
  let from = Number.NEGATIVE_INFINITY;
  let before = Number.POSITIVE_INFINITY;
  let isStrict = false;
  let wantsLatest = false;
  let recentSpan: Duration | null = null;
  for (const { meaning, start, end, isRelative } of phrases) {
    if (meaning === 'latest') wantsLatest = true;
    else if (meaning === 'as of') asOf = Math.min(asOf, end - 1);
    else if (meaning === 'within' && isRelative && start <= t) {
      wantsLatest = true;
      const span = Math.max(millisecondsPerDay, t - start);
      recentSpan = recentSpan === null ? span : Math.min(recentSpan, span);
    } else {
      isStrict = true;
      if (meaning === 'within' || meaning === 'since') from = Math.max(from, start);
      if (meaning === 'after') from = Math.max(from, end);
      if (meaning === 'within' || meaning === 'until') before = Math.min(before, end);
      if (meaning === 'before') before = Math.min(before, start);
    }
  }
  if (recentSpan !== null && !isStrict) from = t - recentSpan;
  if (Number.isFinite(before)) before = Math.min(before, t + 1);
  const text = restOf(query, phrases);
  return {
    text: /[\p{L}\p{N}]/u.test(text) ? text : query,
    asOf,
    from: Number.isFinite(from) ? from : null,
    before: Number.isFinite(before) ? before : null,
    isStrict,
    wantsLatest,
    recentSpan,
    phrases,
  };
}

/** The query less the words of the phrases, white space joined. */
function restOf(query: string, phrases: readonly TimePhrase[]): string {
  let rest = '';
  let at = 0;
  const pieces = phrases.flatMap(({ pieces }) => pieces).sort((a, b) => a.index - b.index);
  for (const { index, length } of pieces) {
    if (index < at) continue;
    rest += `${query.slice(at, index)} `;
    at = index + length;
  }
  return (rest + query.slice(at)).replace(/\s+/g, ' ').trim();
}
