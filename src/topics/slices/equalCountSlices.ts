import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Slice } from '../../time/calendar.js';
import type { Instant } from '../../time/instant.js';
import { dailyCounts, dayOf, daySpan } from './daySpans.js';

/** What fills a slice. */
export interface EqualCountOptions {
  /** Documents that fill a slice; 200 by default. */
  readonly documents?: number | undefined;
}

/**
 * Slices of about equally many documents (ours): whole days in UTC, and a slice ends with the day that fills it. Whole
 * days, so that documents of one instant are never parted. Where a slice ends depends on the documents up to there
 * alone; the last one, unless it is full, ends after the day of `until`.
 *
 * @throws InvalidArgumentError when a slice would need no document
 */
export function* equalCountSlices(
  eventAt: Float64Array,
  options: EqualCountOptions,
  from: Instant,
  until: Instant,
): Generator<Slice> {
  const { documents: wanted = 200 } = options;
  if (!Number.isInteger(wanted) || wanted < 1) {
    throw new InvalidArgumentError({ argument: 'documents', value: wanted, expected: 'an integer of at least 1' });
  }
  const first = dayOf(from);
  const counts = dailyCounts(eventAt, first, dayOf(until));
  let start = 0;
  let held = 0;
  for (const [day, count] of counts.entries()) {
    held += count;
    if (held < wanted && day < counts.length - 1) continue;
    // A full slice has ended when its last day has; one that is not full ends a day later than that, so not yet.
    const isOpen = held < wanted;
    yield daySpan(first + start, first + day + (isOpen ? 2 : 1));
    start = day + 1;
    held = 0;
  }
}
