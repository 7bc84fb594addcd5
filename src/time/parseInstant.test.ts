import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { formatInstant } from './formatInstant.js';
import { firstInstant, lastInstant } from './instant.js';
import { parseInstant, parseInstantDetailed } from './parseInstant.js';

const anyInstant = fc.integer({ min: firstInstant, max: lastInstant });

describe('parseInstant of ISO 8601', () => {
  it.each([
    ['2024-03-01', Date.UTC(2024, 2, 1)],
    ['2020-01-02T14:16Z', Date.UTC(2020, 0, 2, 14, 16)],
    ['2025-04-02T06:24:00+00:00', Date.UTC(2025, 3, 2, 6, 24)],
    ['2021-09-01T17:11:56+10:00', Date.UTC(2021, 8, 1, 7, 11, 56)],
    ['2021-09-01T17:11:56-1130', Date.UTC(2021, 8, 2, 4, 41, 56)],
    ['2021-09-01T17:11+05', Date.UTC(2021, 8, 1, 12, 11)],
    ['2021-07-16T01:31:33.917Z', Date.UTC(2021, 6, 16, 1, 31, 33, 917)],
    ['2021-07-16T01:31:33,9z', Date.UTC(2021, 6, 16, 1, 31, 33, 900)],
    ['2021-07-16t01:31:33.05-00:00', Date.UTC(2021, 6, 16, 1, 31, 33, 50)],
    ['2021-07-16 01:31:33Z', Date.UTC(2021, 6, 16, 1, 31, 33)],
    ['20200102T1416Z', Date.UTC(2020, 0, 2, 14, 16)],
    ['20200102T141607.5+0100', Date.UTC(2020, 0, 2, 13, 16, 7, 500)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['0001-01-01T00:00:00Z', firstInstant],
    ['9999-12-31T23:59:59.999Z', lastInstant],
    ['1969-12-31T23:59:59.999Z', -1],
  ])('reads %s', (text, instant) => {
    expect(parseInstant(text)).toBe(instant);
  });

  it('takes a date alone as its 00:00 UTC, with and without a zone (case 12)', () => {
    expect(parseInstant('2024-03-01')).toBe(1_709_251_200_000);
    expect(parseInstant('2024-03-01', { zone: 'Asia/Tokyo' })).toBe(1_709_251_200_000);
  });

  it('refuses a date-time without offset unless a zone is set (case 12)', () => {
    expect(() => parseInstant('2024-03-01T10:00')).toThrow(/"2024-03-01T10:00".*an offset .* or a zone/);
    expect(parseInstant('2024-03-01T10:00', { zone: 'UTC' })).toBe(Date.UTC(2024, 2, 1, 10));
    expect(parseInstant('2014-01-21T20:26:05.383', { zone: 'UTC' })).toBe(Date.UTC(2014, 0, 21, 20, 26, 5, 383));
    expect(parseInstant('2024-03-01 10:00', { zone: 'Asia/Kolkata' })).toBe(Date.UTC(2024, 2, 1, 4, 30));
    expect(parseInstant('20240301T1000', { zone: 'asia/kolkata' })).toBe(Date.UTC(2024, 2, 1, 4, 30));
  });

  it('lets an offset in the text stand, whatever the zone', () => {
    expect(parseInstant('2024-03-01T10:00Z', { zone: 'Asia/Tokyo' })).toBe(Date.UTC(2024, 2, 1, 10));
  });

  it('cuts digits below a millisecond, towards the past, and says so', () => {
    const text = '2021-07-16T01:31:33.338999Z';
    expect(parseInstantDetailed(text)).toEqual({
      instant: Date.UTC(2021, 6, 16, 1, 31, 33, 338),
      resolution: 'exact',
      truncated: true,
    });
    expect(parseInstantDetailed('2021-07-16T01:31:33.338000Z').truncated).toBe(false);
    expect(parseInstant('1969-12-31T23:59:59.999999Z')).toBe(-1);
  });

  it.each([
    ['', /empty text/],
    [' 2024-03-01', /ISO 8601/],
    ['2024-03-01 ', /ISO 8601/],
    ['2024-03-01T10:00:00Zulu', /ISO 8601/],
    ['2024-03-01T10:00:00Z[Europe/Paris]', /ISO 8601/],
    ['2024-3-1', /ISO 8601/],
    ['03/01/2024', /ISO 8601/],
    ['2024-03', /ISO 8601/],
    ['2024-W09-5', /ISO 8601/],
    ['+002024-03-01', /ISO 8601/],
    ['-0001-01-01', /ISO 8601/],
    ['2024-03-01T10Z', /ISO 8601/],
    ['2024-03-01T10:00:00.Z', /ISO 8601/],
    ['2024-03-01T10:00:00+1', /ISO 8601/],
    ['2024-03-01T10:00:00+01:00:00', /ISO 8601/],
    ['２024-03-01', /ISO 8601/],
    ['today', /ISO 8601/],
    ['0000-12-31', /a year in 0001 to 9999/],
    ['0001-01-01T00:00:00+00:01', /a year in 0001 to 9999, in UTC/],
    ['9999-12-31T23:59:59-00:01', /a year in 0001 to 9999, in UTC/],
    ['2024-13-01', /a month in 01 to 12/],
    ['2024-00-01', /a month in 01 to 12/],
    ['2024-02-30', /a day that its month has/],
    ['2023-02-29', /a day that its month has/],
    ['1900-02-29', /a day that its month has/],
    ['2024-04-31T00:00Z', /a day that its month has/],
    ['2024-03-00', /a day that its month has/],
    ['2024-03-01T24:00:00Z', /an hour in 00 to 23/],
    ['2024-03-01T10:60:00Z', /a minute in 00 to 59/],
    ['2016-12-31T23:59:60Z', /leap second/],
    ['2016-12-31T23:59:61Z', /a second in 00 to 59/],
    ['2024-03-01T10:00:00+24:00', /an offset within/],
    ['2024-03-01T10:00:00-01:60', /an offset within/],
  ])('refuses %j', (text, message) => {
    expect(() => parseInstant(text)).toThrow(message);
    expect(() => parseInstant(text, { zone: 'UTC' })).toThrow(message);
  });

  it.each([null, undefined, true, {}, [], new Date(0), Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %j, no text',
    (value) => {
      expect(() => parseInstant(value)).toThrow(/a date or date-time as text/);
    },
  );

  it('reads back what formatInstant writes', () => {
    fc.assert(fc.property(anyInstant, (instant) => parseInstant(formatInstant(instant)) === instant));
  });

  it('agrees with another implementation on every offset form', () => {
    const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    fc.assert(
      fc.property(anyInstant, offset, fc.integer({ min: 0, max: 9 }), (instant, minutes, digits) => {
        const local = instant + minutes * 60_000;
        fc.pre(local >= firstInstant && local <= lastInstant);
        const sign = minutes < 0 ? '-' : '+';
        const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0');
        const text = `${new Date(local).toISOString().slice(0, 19)}${digits === 0 ? '' : `.${'123456789'.slice(0, digits)}`}`;
        const whole = `${text}${sign}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`;
        fc.pre(Temporal.Instant.from(whole).epochMilliseconds >= firstInstant);
        expect(parseInstant(whole)).toBe(Temporal.Instant.from(whole).epochMilliseconds);
      }),
    );
  });
});
