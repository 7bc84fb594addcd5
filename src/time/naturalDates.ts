import { casual, type ParsedComponents, type ParsedResult } from 'chrono-node';
import { civilFromDays, dayNumber, daysFromCivil, daysInMonth, instantOfDate } from './civil.js';
import { type Instant, millisecondsPerDay } from './instant.js';
import { parseInstant } from './parseInstant.js';

/** A date that a text names in words, and the stretch of time that it stands for: instants with `start <= x < end`. */
export interface NaturalDate {
  /** Place of the words in the text, in code units. */
  readonly index: number;
  readonly text: string;
  readonly start: Instant;
  readonly end: Instant;
  /** `absolute`: it names its year. `relative`: it counts from the reference (`last week`). `bare`: a month or day alone. */
  readonly kind: 'absolute' | 'relative' | 'bare';
  /** Whether the words name both ends: `3 June to 5 June 2018`. */
  readonly isRange: boolean;
}

const noon = millisecondsPerDay / 2;
/** After so many days the Gregorian calendar repeats, days of the week included: 400 years. */
const calendarCycle = 146_097;
const cycleYears = 400;
const isoTime = /^\d{4}-\d{2}-\d{2}[T ]\d/;
const fullName =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$/i;

/**
 * Dates in English text, in UTC, found by chrono-node. A date stands for its whole day, month or year; one that counts
 * from the reference, for the stretch from there to the reference (`last week`: the seven days until then).
 *
 * chrono calculates in the machine's time zone. It is given noon, which no zone skips, of the reference's UTC day one
 * calendar cycle later, where no zone has a history; and only the calendar fields of its results are used. So results are
 * the same in every zone. Hours and minutes are left alone, but for ISO 8601, which `parseInstant` reads. So are dates
 * whose order of day and month would be a guess (`5/6/2020`), and abbreviated months and days of the week on their own,
 * which are names as often (`sun`, `mar`).
 *
 * @param reference what relative dates count from
 */
export function findNaturalDates(text: string, reference: Instant): NaturalDate[] {
  const instant = new Date((dayNumber(reference) + calendarCycle) * millisecondsPerDay + noon);
  const dates: NaturalDate[] = [];
  for (const found of casual.parse(text, { instant, timezone: 0 })) {
    const stretch = stretchOf(found, reference);
    if (stretch === undefined) continue;
    // chrono takes `on` into the date; what relates the date to something is for the caller.
    const preposition = /^(?:on|in|at|of)\s+/i.exec(found.text)?.[0].length ?? 0;
    dates.push({ index: found.index + preposition, text: found.text.slice(preposition), ...stretch });
  }
  return dates;
}

type Stretch = Pick<NaturalDate, 'start' | 'end' | 'kind' | 'isRange'>;

function stretchOf(found: ParsedResult, reference: Instant): Stretch | undefined {
  const { start, end } = found;
  if (isoTime.test(found.text)) return isoStretch(found.text);
  const tags = [...found.tags()].join(' ');
  if (tags.includes('relativeDateAndTime') || tags.includes('SlashDateFormat') || start.isCertain('hour')) {
    return undefined;
  }
  if (tags.includes('relativeDate') || tags.includes('CasualDate') || /^this\b/i.test(found.text)) {
    const day = periodOf(start, 'relative');
    if (day === undefined) return undefined;
    const until = day.start <= reference ? reference + 1 : day.end;
    return { start: day.start, end: until, kind: 'relative', isRange: false };
  }
  const hasYear = start.isCertain('year') || end?.isCertain('year') === true;
  const isDated = start.isCertain('day') && start.isCertain('month');
  if (!hasYear && !isDated && !fullName.test(found.text.replace(/^on\s+/i, ''))) return undefined;
  const kind = hasYear ? 'absolute' : 'bare';
  const first = periodOf(start, kind);
  const isRange = end !== undefined && end !== null;
  const last = isRange ? periodOf(end, kind) : first;
  if (first === undefined || last === undefined || last.end <= first.start) return undefined;
  return { start: first.start, end: last.end, kind, isRange };
}

/** The day that the components name, or the whole month where they leave the day open. */
function periodOf(parts: ParsedComponents, kind: NaturalDate['kind']): { start: Instant; end: Instant } | undefined {
  const named = parts.get('year');
  const month = parts.get('month');
  if (named === null || month === null || month < 1 || month > 12) return undefined;
  // A year that the text does not name comes from the reference, a cycle ahead.
  const year = kind === 'relative' || !parts.isCertain('year') ? named - cycleYears : named;
  if (year < 1 || year > 9998) return undefined;
  const isMonth = kind !== 'relative' && parts.isCertain('month') && !parts.isCertain('day');
  const day = isMonth ? 1 : (parts.get('day') ?? 1);
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  const start = instantOfDate(year, month, day);
  return { start, end: start + (isMonth ? daysInMonth(year, month) : 1) * millisecondsPerDay };
}

function isoStretch(text: string): Stretch | undefined {
  try {
    const instant = parseInstant(text);
    return { start: instant, end: instant + 1, kind: 'absolute', isRange: false };
  } catch {
    return undefined; // without an offset: no instant
  }
}

/** The whole year, in UTC. */
export function yearStretch(year: number): { start: Instant; end: Instant } {
  return { start: instantOfDate(year, 1, 1), end: daysFromCivil(year + 1, 1, 1) * millisecondsPerDay };
}

/** The UTC year that holds an instant. */
export function yearOf(instant: Instant): number {
  return civilFromDays(dayNumber(instant)).year;
}
