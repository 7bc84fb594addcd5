import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { calendarNamed, calendarNames, compareSlices, isProvisional, sliceOf, slicesBetween } from './calendar.js';
import { formatInstant } from './formatInstant.js';
import { firstInstant, lastInstant } from './instant.js';
import { parseInstant } from './parseInstant.js';

const day = 86_400_000;
const anyInstant = fc.integer({ min: firstInstant, max: lastInstant });
const anyCalendar = fc.constantFrom(...calendarNames);
const idOf = (text: string, calendar: (typeof calendarNames)[number]) => sliceOf(parseInstant(text), calendar).id;

describe('sliceOf', () => {
  it('numbers weeks by ISO 8601 (case 19)', () => {
    expect(idOf('2021-01-01', 'iso-week')).toBe('2020-W53');
    expect(idOf('2024-12-30', 'iso-week')).toBe('2025-W01');
    expect(idOf('2024-12-29T23:59:59.999Z', 'iso-week')).toBe('2024-W52');
    expect(idOf('0001-01-01', 'iso-week')).toBe('0001-W01');
  });

  it('names a us-week after its Sunday, as strftime counts it, whole across New Year', () => {
    expect(idOf('2023-01-01', 'us-week')).toBe('2023-U01');
    expect(idOf('2023-12-31', 'us-week')).toBe('2023-U53');
    expect(idOf('2024-12-31', 'us-week')).toBe('2024-U52');
    expect(idOf('2025-01-04T23:59Z', 'us-week')).toBe('2024-U52');
    expect(idOf('2025-01-05', 'us-week')).toBe('2025-U01');
    expect(idOf('2025-06-30', 'us-week')).toBe('2025-U26');
  });

  it('gives days and months their dates', () => {
    expect(sliceOf(parseInstant('2024-02-29T12:00Z'), 'day')).toEqual({
      id: '2024-02-29',
      start: parseInstant('2024-02-29'),
      end: parseInstant('2024-03-01'),
    });
    expect(sliceOf(parseInstant('2024-12-31'), 'month')).toEqual({
      id: '2024-12',
      start: parseInstant('2024-12-01'),
      end: parseInstant('2025-01-01'),
    });
  });

  it('keeps a week of 167 or 169 local hours one slice of 168 hours (case 20)', () => {
    // Europe/Berlin changes its clocks on the Sundays of 2024-03-31 and 2024-10-27.
    for (const [monday, sunday, hours] of [
      ['2024-03-25', '2024-03-31', 167],
      ['2024-10-21', '2024-10-27', 169],
    ] as const) {
      const local = Temporal.PlainDate.from(monday).toZonedDateTime('Europe/Berlin');
      expect(local.until(local.add({ weeks: 1 }), { largestUnit: 'hours' }).hours).toBe(hours);
      const week = sliceOf(parseInstant(monday), 'iso-week');
      expect(sliceOf(parseInstant(`${sunday}T23:59:59.999Z`), 'iso-week')).toEqual(week);
      expect(week.end - week.start).toBe(7 * day);
    }
  });

  it('puts every instant in exactly one slice, which the next one follows without gap', () => {
    fc.assert(
      fc.property(anyInstant, anyCalendar, (instant, calendar) => {
        const slice = sliceOf(instant, calendar);
        expect(slice.start <= instant && instant < slice.end).toBe(true);
        expect(sliceOf(Math.max(slice.start, firstInstant), calendar)).toEqual(slice);
        expect(sliceOf(Math.min(slice.end - 1, lastInstant), calendar)).toEqual(slice);
        if (slice.end <= lastInstant) {
          const next = sliceOf(slice.end, calendar);
          expect(next.start).toBe(slice.end);
          expect(next.id).not.toBe(slice.id);
        }
      }),
    );
  });

  it('agrees with another implementation on week numbers', () => {
    fc.assert(
      fc.property(anyInstant, (instant) => {
        const date = Temporal.PlainDate.from(formatInstant(instant).slice(0, 10));
        const id = `${String(date.yearOfWeek).padStart(4, '0')}-W${String(date.weekOfYear).padStart(2, '0')}`;
        expect(sliceOf(instant, 'iso-week').id).toBe(id);
        // strftime: %U is (day of the year from 0 + 7 - weekday from Sunday) / 7, and 0 before the first Sunday.
        const percentU = Math.floor((date.dayOfYear + 6 - (date.dayOfWeek % 7)) / 7);
        const week = sliceOf(instant, 'us-week').id;
        if (percentU > 0)
          expect(week).toBe(`${String(date.year).padStart(4, '0')}-U${String(percentU).padStart(2, '0')}`);
        else expect(week.slice(0, 4)).toBe(String(date.year - 1).padStart(4, '0'));
      }),
    );
  });

  it('refuses an instant that is none and a calendar that is none', () => {
    expect(() => sliceOf(Number.NaN, 'day')).toThrow(/an instant in years/);
    expect(() => sliceOf(lastInstant + 1, 'day')).toThrow(/an instant in years/);
    expect(() => calendarNamed('fortnight')).toThrow(/one of iso-week, us-week, day, month/);
  });
});

describe('slicesBetween', () => {
  it('lists every slice, empty ones too, from the one with the first instant to the one with the last', () => {
    const slices = [...slicesBetween(parseInstant('2020-12-20'), parseInstant('2021-01-11'), 'iso-week')];
    expect(slices.map((slice) => slice.id)).toEqual(['2020-W51', '2020-W52', '2020-W53', '2021-W01', '2021-W02']);
    expect([...slicesBetween(0, 0, 'day')]).toHaveLength(1);
    expect([...slicesBetween(lastInstant, lastInstant, 'us-week')]).toHaveLength(1);
  });

  it('gives consecutive slices that cover the stretch', () => {
    fc.assert(
      fc.property(anyInstant, fc.nat(500 * day), anyCalendar, (from, length, calendar) => {
        const to = Math.min(from + length, lastInstant);
        const slices = [...slicesBetween(from, to, calendar)];
        expect(slices[0]!.start <= from && to < slices.at(-1)!.end).toBe(true);
        for (const [index, slice] of slices.slice(1).entries()) expect(slice.start).toBe(slices[index]!.end);
      }),
      { numRuns: 30 },
    );
  });

  it('refuses an end before its start', () => {
    expect(() => [...slicesBetween(1, 0, 'day')]).toThrow(/to: got 0/);
  });
});

describe('order and state of slices', () => {
  it('sorts weeks by year, then week (case 19)', () => {
    const slices = ['2021-01-04', '2020-12-28', '2020-01-06'].map((text) => sliceOf(parseInstant(text), 'iso-week'));
    expect(slices.sort(compareSlices).map((slice) => slice.id)).toEqual(['2020-W02', '2020-W53', '2021-W01']);
  });

  it('is provisional until its end', () => {
    const slice = sliceOf(parseInstant('2024-03-01T12:00Z'), 'day');
    expect(isProvisional(slice, slice.end - 1)).toBe(true);
    expect(isProvisional(slice, slice.end)).toBe(false);
  });
});
