import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { civilFromDays, dayNumber, daysFromCivil, weekday } from './civil.js';
import { type Instant, isInstant, millisecondsPerDay } from './instant.js';

/**
 * A stretch of time that topics are tracked over: it holds the instants with `start <= t < end`. Slices of one calendar
 * follow one another without gap. Order them by `start`; an id is for people and holds its year.
 */
export interface Slice {
  readonly id: string;
  readonly start: Instant;
  /** First instant after the slice. */
  readonly end: Instant;
}

/** A rule that cuts all time into slices: every instant is in exactly one. */
export interface Calendar {
  readonly name: string;
  /** The slice that holds an instant. */
  sliceOf(instant: Instant): Slice;
}

/**
 * Calendars that do not depend on data. All are in UTC, so that a slice is the same everywhere and a clock change
 * neither lengthens nor shortens a week.
 * - `iso-week`: Monday to Sunday, numbered by ISO 8601: week 1 holds the year's first Thursday. `2020-W53`.
 * - `us-week`: Sunday to Saturday, named after its Sunday by strftime's `%Y` and `%U`: week 1 starts on the year's first
 *   Sunday. `2020-U52`. Days before the first Sunday, which strftime puts in a week 00 of their own, stay in the week
 *   that began in December: a week cut in two by New Year would look like decay twice.
 * - `day`: `2024-03-01`. `month`: `2024-03`.
 */
export type CalendarName = 'iso-week' | 'us-week' | 'day' | 'month';

export const calendarNames: readonly CalendarName[] = ['iso-week', 'us-week', 'day', 'month'];

/** @throws InvalidArgumentError for a name that is no calendar */
export function calendarNamed(name: string): Calendar {
  const calendar = calendars.get(name);
  if (calendar !== undefined) return calendar;
  throw new InvalidArgumentError({ argument: 'calendar', value: name, expected: `one of ${calendarNames.join(', ')}` });
}

/**
 * The slice of a calendar that holds an instant.
 *
 * @throws InvalidArgumentError for an instant outside years 0001 to 9999, or a name that is no calendar
 */
export function sliceOf(instant: Instant, calendar: CalendarName | Calendar): Slice {
  if (!isInstant(instant)) {
    throw new InvalidArgumentError({
      argument: 'instant',
      value: instant,
      expected: 'an instant in years 0001 to 9999',
    });
  }
  return (typeof calendar === 'string' ? calendarNamed(calendar) : calendar).sliceOf(instant);
}

/**
 * All slices from the one that holds `from` to the one that holds `to`, both included, empty ones too, in order of time.
 *
 * @throws InvalidArgumentError when `to` is before `from`
 */
export function* slicesBetween(from: Instant, to: Instant, calendar: CalendarName | Calendar): Generator<Slice> {
  if (to < from) throw new InvalidArgumentError({ argument: 'to', value: to, expected: `no instant before ${from}` });
  const last = sliceOf(to, calendar);
  for (let slice = sliceOf(from, calendar); ; slice = sliceOf(slice.end, calendar)) {
    yield slice;
    if (slice.start >= last.start) return;
  }
}

/** Order of time. */
export function compareSlices(a: Slice, b: Slice): number {
  return a.start - b.start;
}

/** Whether a slice is unfinished at t: things may still happen in it. */
export function isProvisional(slice: Slice, t: Instant): boolean {
  return t < slice.end;
}

const calendars = new Map<string, Calendar>([
  ['iso-week', weekCalendar('iso-week', 1, isoWeekId)],
  ['us-week', weekCalendar('us-week', 0, usWeekId)],
  [
    'day',
    {
      name: 'day',
      sliceOf(instant) {
        const day = dayNumber(instant);
        const { year, month, day: dayOfMonth } = civilFromDays(day);
        return makeSlice(`${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`, day, day + 1);
      },
    },
  ],
  [
    'month',
    {
      name: 'month',
      sliceOf(instant) {
        const { year, month } = civilFromDays(dayNumber(instant));
        const start = daysFromCivil(year, month, 1);
        const end = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
        return makeSlice(`${pad(year, 4)}-${pad(month, 2)}`, start, end);
      },
    },
  ],
]);

/** @param firstWeekday the day that a week starts on, 0 = Sunday */
function weekCalendar(name: CalendarName, firstWeekday: number, id: (firstDay: number) => string): Calendar {
  return {
    name,
    sliceOf(instant) {
      const day = dayNumber(instant);
      const start = day - ((weekday(day) - firstWeekday + 7) % 7);
      return makeSlice(id(start), start, start + 7);
    },
  };
}

/** A week belongs to the year of its Thursday (ISO 8601), and that year's first Thursday is in week 1. */
function isoWeekId(monday: number): string {
  const thursday = monday + 3;
  const { year } = civilFromDays(thursday);
  return `${pad(year, 4)}-W${pad(weekNumber(thursday, year), 2)}`;
}

function usWeekId(sunday: number): string {
  const { year } = civilFromDays(sunday);
  return `${pad(year, 4)}-U${pad(weekNumber(sunday, year), 2)}`;
}

/** How many days of the year up to this one fall on its day of the week. */
function weekNumber(day: number, year: number): number {
  return Math.floor((day - daysFromCivil(year, 1, 1)) / 7) + 1;
}

/** Days count from the epoch; the last is not included. */
function makeSlice(id: string, firstDay: number, endDay: number): Slice {
  return { id, start: firstDay * millisecondsPerDay, end: endDay * millisecondsPerDay };
}

function pad(number: number, width: number): string {
  return String(number).padStart(width, '0');
}
