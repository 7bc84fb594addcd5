import type { Slice } from '../../time/calendar.js';
import { formatInstant } from '../../time/formatInstant.js';
import { type Instant, millisecondsPerDay } from '../../time/instant.js';

/** The day in UTC that holds an instant, counted from the epoch. */
export function dayOf(instant: Instant): number {
  return Math.floor(instant / millisecondsPerDay);
}

/**
 * A slice of whole days, named as ISO 8601 names an interval by its start and length: `2018-01-01/P9D`.
 *
 * @param end first day after it
 */
export function daySpan(start: number, end: number): Slice {
  const date = formatInstant(start * millisecondsPerDay).slice(0, 10);
  return { id: `${date}/P${end - start}D`, start: start * millisecondsPerDay, end: end * millisecondsPerDay };
}

/**
 * Documents of each day.
 *
 * @param eventAt none before the first day
 * @param first first day to count
 * @param last last day to count
 * @returns [days]
 */
export function dailyCounts(eventAt: Float64Array, first: number, last: number): Uint32Array {
  const counts = new Uint32Array(Math.max(0, last - first + 1));
  for (const instant of eventAt) {
    const day = dayOf(instant);
    if (day <= last) counts[day - first]!++;
  }
  return counts;
}
