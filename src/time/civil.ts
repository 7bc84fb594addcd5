import type { Instant } from './instant.js';
import { millisecondsPerDay } from './instant.js';

/**
 * Arithmetic of the proleptic Gregorian calendar, the calendar of ISO 8601 and RFC 3339. Pure integers: no zone, no
 * locale, and none of the two-digit-year rule of the built-in `Date.UTC`.
 */

/** Days from 0001-01-01 to 1970-01-01. */
const daysToEpoch = 719_162;

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Number of days in a month; month counts from 1. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : monthLengths[month - 1]!;
}

/** Days from the epoch to the first of January. */
function daysBeforeYear(year: number): number {
  const past = year - 1;
  return 365 * past + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - daysToEpoch;
}

/** Days from the epoch to a date; the date must exist. Month and day count from 1. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const leapDay = month > 2 && isLeapYear(year) ? 1 : 0;
  return daysBeforeYear(year) + daysBeforeMonth[month - 1]! + leapDay + day - 1;
}

/** Midnight UTC of a date. */
export function instantOfDate(year: number, month: number, day: number): Instant {
  return daysFromCivil(year, month, day) * millisecondsPerDay;
}

/** The UTC day that holds an instant, counted from the epoch. */
export function dayNumber(instant: Instant): number {
  return Math.floor(instant / millisecondsPerDay);
}

/** Year, month and day of a day counted from the epoch. */
export function civilFromDays(days: number): { year: number; month: number; day: number } {
  // 146097 days make 400 years, so this estimate is off by one at most.
  let year = 1970 + Math.floor((days * 400) / 146_097);
  if (daysBeforeYear(year) > days) year--;
  else if (daysBeforeYear(year + 1) <= days) year++;
  let rest = days - daysBeforeYear(year);
  let month = 1;
  for (let length = daysInMonth(year, 1); rest >= length; length = daysInMonth(year, month)) {
    rest -= length;
    month++;
  }
  return { year, month, day: rest + 1 };
}

/** Day of the week, 0 = Sunday. 1970-01-01 was a Thursday. */
export function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}
