import { daysFromCivil, daysInMonth } from './civil.js';
import {
  firstInstant,
  type Instant,
  lastInstant,
  millisecondsPerDay,
  millisecondsPerHour,
  millisecondsPerMinute,
  millisecondsPerSecond,
} from './instant.js';

/** A text that was read: an instant, or a local time that still needs a zone, or what is wrong with it. */
export type TextReading =
  | { kind: 'instant'; instant: Instant; truncated: boolean }
  | { kind: 'local'; local: number; truncated: boolean }
  | { kind: 'fault'; expected: string };

/** Parts of a date and time as their texts; `offset` absent means local, `hour` absent means a date alone. */
export interface DateTimeParts {
  year: string;
  month: string;
  day: string;
  hour?: string | undefined;
  minute?: string | undefined;
  second?: string | undefined;
  fraction?: string | undefined;
  offset?: string | undefined;
}

const offsetPattern = /^(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/;
const isoPattern =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[Tt ](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?(?<offset>[Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const basicPattern =
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})[Tt](?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?(?<offset>[Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

const expectedIso = 'an ISO 8601 date or date-time, such as 2024-03-01 or 2024-03-01T10:00:00Z';

/**
 * Reads RFC 3339 and the calendar-date forms of ISO 8601, in whole: extended (`2020-01-02T14:16Z`, a space for the T)
 * and basic (`20200102T141600Z`); seconds optional; a fraction of the second of any length, cut to milliseconds.
 * Week dates, ordinal dates, fractions of minutes and years beyond four digits are not read.
 */
export function readIsoText(text: string): TextReading {
  const match = isoPattern.exec(text) ?? basicPattern.exec(text);
  if (match === null) return fault(text === '' ? 'a date, not an empty text' : expectedIso);
  return readParts(match.groups as unknown as DateTimeParts);
}

/** Checks the parts and puts them together; the one place that knows which dates and times exist. */
export function readParts(parts: DateTimeParts): TextReading {
  const year = Number(parts.year);
  const month = Number(parts.month);
  const day = Number(parts.day);
  if (year < 1) return fault('a year in 0001 to 9999');
  if (month < 1 || month > 12) return fault('a month in 01 to 12');
  if (day < 1 || day > daysInMonth(year, month)) return fault('a day that its month has');
  const midnight = daysFromCivil(year, month, day) * millisecondsPerDay;
  if (parts.hour === undefined) return { kind: 'instant', instant: midnight, truncated: false };

  const hour = Number(parts.hour);
  const minute = Number(parts.minute ?? 0);
  const second = Number(parts.second ?? 0);
  if (hour > 23) return fault('an hour in 00 to 23 (midnight is 00:00 of the next day)');
  if (minute > 59) return fault('a minute in 00 to 59');
  if (second === 60) return fault('a second in 00 to 59: a leap second has no place in Unix time');
  if (second > 59) return fault('a second in 00 to 59');
  const fraction = parts.fraction ?? '';
  const local =
    midnight +
    hour * millisecondsPerHour +
    minute * millisecondsPerMinute +
    second * millisecondsPerSecond +
    Number(fraction.slice(0, 3).padEnd(3, '0'));
  const truncated = /[1-9]/.test(fraction.slice(3));
  if (parts.offset === undefined) return { kind: 'local', local, truncated };

  const [, sign, offsetHours, offsetMinutes] = offsetPattern.exec(parts.offset)!;
  if (sign === undefined) return { kind: 'instant', instant: local, truncated };
  if (Number(offsetHours) > 23 || Number(offsetMinutes ?? 0) > 59) return fault('an offset within +-23:59');
  const size = Number(offsetHours) * millisecondsPerHour + Number(offsetMinutes ?? 0) * millisecondsPerMinute;
  const instant = sign === '-' ? local + size : local - size;
  if (instant < firstInstant || instant > lastInstant) return fault('a year in 0001 to 9999, in UTC');
  return { kind: 'instant', instant, truncated };
}

function fault(expected: string): TextReading {
  return { kind: 'fault', expected };
}

const zero = 48;
const colon = 58;
const dash = 45;

/**
 * The common forms of `readIsoText` by hand, several times as fast: `YYYY-MM-DD`, and `YYYY-MM-DDTHH:MM[:SS[.f]]` with
 * `Z` or `+HH:MM`. NaN for all else, valid or not: the caller then asks `readIsoText`. A fraction of more than three
 * digits is left to it as well, since it reports what was cut.
 *
 * @param localIsUtc whether a date-time without offset is UTC
 */
export function readCommonIsoText(text: string, localIsUtc: boolean): number {
  const length = text.length;
  if (length < 10 || text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return Number.NaN;
  // A character that is no digit makes its pair NaN, which no comparison below lets through.
  const year = pair(text, 0) * 100 + pair(text, 2);
  const month = pair(text, 5);
  const day = pair(text, 8);
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1)) return Number.NaN;
  if (day > 28 && day > daysInMonth(year, month)) return Number.NaN;
  const midnight = daysFromCivil(year, month, day) * millisecondsPerDay;
  if (length === 10) return midnight;

  const separator = text.charCodeAt(10);
  if (length < 16 || (separator !== 84 && separator !== 32) || text.charCodeAt(13) !== colon) return Number.NaN;
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  if (!(hour <= 23 && minute <= 59)) return Number.NaN;
  let instant = midnight + hour * millisecondsPerHour + minute * millisecondsPerMinute;
  let at = 16;
  if (text.charCodeAt(at) === colon) {
    const second = pair(text, 17);
    if (!(second <= 59)) return Number.NaN;
    instant += second * millisecondsPerSecond;
    at = 19;
    if (text.charCodeAt(at) === 46) {
      at++;
      let place = 100;
      for (; place >= 1; place /= 10, at++) {
        const digit = text.charCodeAt(at) - zero;
        if (!(digit >= 0 && digit <= 9)) break;
        instant += digit * place;
      }
      if (place === 100) return Number.NaN;
    }
  }
  if (at === length) return localIsUtc ? instant : Number.NaN;
  const mark = text.charCodeAt(at);
  if (mark === 90) return at + 1 === length ? instant : Number.NaN;
  if ((mark !== 43 && mark !== dash) || at + 6 !== length || text.charCodeAt(at + 3) !== colon) return Number.NaN;
  const offsetHours = pair(text, at + 1);
  const offsetMinutes = pair(text, at + 4);
  if (!(offsetHours <= 23 && offsetMinutes <= 59)) return Number.NaN;
  const offset = offsetHours * millisecondsPerHour + offsetMinutes * millisecondsPerMinute;
  instant += mark === dash ? offset : -offset;
  return instant >= firstInstant && instant <= lastInstant ? instant : Number.NaN;
}

/** The number of two digits at an index, or NaN. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero;
  const units = text.charCodeAt(at + 1) - zero;
  return tens >= 0 && tens <= 9 && units >= 0 && units <= 9 ? tens * 10 + units : Number.NaN;
}
