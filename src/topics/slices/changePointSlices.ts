import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Slice } from '../../time/calendar.js';
import type { Duration } from '../../time/duration.js';
import { type Instant, millisecondsPerDay } from '../../time/instant.js';
import { dailyCounts, dayOf, daySpan } from './daySpans.js';

/** What counts as a change of the rate of documents. */
export interface ChangePointOptions {
  /** Log-likelihood ratio from which a change of rate counts; 8 by default (one chance in some 3,000 to be wrong). */
  readonly threshold?: number | undefined;
  /** Weeks after which a slice ends in any case; 8 by default. */
  readonly mostWeeks?: number | undefined;
}

const daysPerWeek = 7;

/** The end of a slice shows in the week after it. */
export const changePointDelay: Duration = daysPerWeek * millisecondsPerDay;

/**
 * Slices that end where the rate of documents changes (ours): whole days in UTC, in spans of whole weeks, since most
 * streams have a weekly rhythm. Week after week the slice is compared with the week that follows: that week begins a new
 * slice when two Poisson rates explain the counts better than one by more than `threshold`.
 *
 * The end of a slice is known only when the week after it is over: until then the slice is open and ends after the day
 * of `until`. It depends on documents up to there alone.
 *
 * @throws InvalidArgumentError
 */
export function* changePointSlices(
  eventAt: Float64Array,
  options: ChangePointOptions,
  from: Instant,
  until: Instant,
): Generator<Slice> {
  const { threshold = 8, mostWeeks = 8 } = options;
  if (!(threshold > 0)) {
    throw new InvalidArgumentError({ argument: 'threshold', value: threshold, expected: 'a number above 0' });
  }
  if (!Number.isInteger(mostWeeks) || mostWeeks < 1) {
    throw new InvalidArgumentError({ argument: 'mostWeeks', value: mostWeeks, expected: 'an integer of at least 1' });
  }
  // A day that has not ended is left out of the counts, or its week would seem thin.
  const first = dayOf(from);
  const counts = dailyCounts(eventAt, first, dayOf(until + 1) - 1);
  let start = 0;
  let weeks = 0;
  let held = 0;
  for (let day = 0; day + daysPerWeek <= counts.length; day += daysPerWeek) {
    const week = counts.subarray(day, day + daysPerWeek).reduce((sum, count) => sum + count, 0);
    if (weeks > 0 && (weeks === mostWeeks || rateChange(held, weeks, week) > threshold)) {
      yield daySpan(first + start, first + day);
      start = day;
      weeks = 0;
      held = 0;
    }
    weeks++;
    held += week;
  }
  yield daySpan(first + start, dayOf(until) + 2);
}

/**
 * Log of the ratio of two likelihoods of Poisson counts: `held` in `weeks` weeks and `week` in one more, with a rate of
 * their own or with one in common.
 */
export function rateChange(held: number, weeks: number, week: number): number {
  const common = (held + week) / (weeks + 1);
  const term = (count: number, expected: number) => (count === 0 ? 0 : count * Math.log(count / expected));
  return term(held, common * weeks) + term(week, common);
}
