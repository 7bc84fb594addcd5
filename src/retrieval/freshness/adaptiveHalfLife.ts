import type { Duration } from '../../time/duration.js';
import { type Instant, millisecondsPerDay } from '../../time/instant.js';
import { ageOf } from './decay.js';

/** How many of the newest relevant items set the half-life: a first page of results. */
const newestCount = 10;
/** An item counts as relevant from this share of the best relevance on. */
const relevantShare = 0.8;

const shortest = millisecondsPerDay;
const longest = 365 * millisecondsPerDay;

/**
 * Half-life from the density of relevant material in the snapshot (ours): the age of the tenth newest relevant item (of the
 * oldest, where there are fewer), within a day and a year. Where ten appear in a week, an item of last month is old; where
 * ten took a year, it is new. Within the page that the newest ten would fill, recency then counts from 1 down to a half.
 *
 * Relevant is what has at least 0.8 of the best relevance. Only candidates of the snapshot enter, so later data cannot.
 *
 * @param eventAt [n] epoch milliseconds, NaN where unknown
 * @param relevance [n]
 * @param relevant candidates that take part, by descending relevance
 * @returns milliseconds; a year when no relevant item has a date
 */
export function adaptiveHalfLife(
  asOf: Instant,
  eventAt: Float64Array,
  relevance: Float64Array,
  relevant: Uint32Array,
): Duration {
  if (relevant.length === 0) return longest;
  const best = relevance[relevant[0]!]!;
  const least = best - (1 - relevantShare) * Math.abs(best);
  const ages: number[] = [];
  for (const candidate of relevant) {
    if (relevance[candidate]! < least) break;
    const age = ageOf(asOf, eventAt[candidate]!);
    if (!Number.isNaN(age)) ages.push(age);
  }
  if (ages.length === 0) return longest;
  ages.sort((a, b) => a - b);
  return Math.min(longest, Math.max(shortest, ages[Math.min(newestCount, ages.length) - 1]!));
}
