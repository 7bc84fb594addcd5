import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { instantParser, parseInstant, parseInstantDetailed } from './parseInstant.js';

describe('parseInstant in a zone', () => {
  it('reads a local time that does not exist with the offset from before the gap, and reports it (case 13)', () => {
    expect(parseInstantDetailed('2024-03-10 02:30', { zone: 'America/New_York' })).toEqual({
      instant: Date.UTC(2024, 2, 10, 7, 30),
      resolution: 'gap',
      truncated: false,
    });
  });

  it('takes the first of two local times, and reports it (case 13)', () => {
    expect(parseInstantDetailed('2024-11-03 01:30', { zone: 'America/New_York' })).toEqual({
      instant: Date.UTC(2024, 10, 3, 5, 30),
      resolution: 'overlap',
      truncated: false,
    });
  });

  it('knows the first and last local times of a gap and an overlap', () => {
    const resolution = (text: string) => parseInstantDetailed(text, { zone: 'America/New_York' }).resolution;
    expect(resolution('2024-03-10T01:59:59.999')).toBe('exact');
    expect(resolution('2024-03-10T02:00')).toBe('gap');
    expect(resolution('2024-03-10T02:59:59.999')).toBe('gap');
    expect(resolution('2024-03-10T03:00')).toBe('exact');
    expect(resolution('2024-11-03T00:59:59.999')).toBe('exact');
    expect(resolution('2024-11-03T01:00')).toBe('overlap');
    expect(resolution('2024-11-03T01:59:59.999')).toBe('overlap');
    expect(resolution('2024-11-03T02:00')).toBe('exact');
  });

  it('reads a day that a zone skipped, and half-hour clock changes', () => {
    expect(parseInstantDetailed('2011-12-30T12:00', { zone: 'Pacific/Apia' })).toMatchObject({ resolution: 'gap' });
    expect(parseInstantDetailed('2024-04-07T01:45', { zone: 'Australia/Lord_Howe' })).toMatchObject({
      instant: Date.UTC(2024, 3, 6, 14, 45),
      resolution: 'overlap',
    });
  });

  it('agrees with another implementation on every rule of resolution', () => {
    const zone = fc.constantFrom(
      'America/New_York',
      'Europe/London',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Asia/Kathmandu',
      'America/St_Johns',
      'Africa/Casablanca',
      'Antarctica/Troll',
      'America/Caracas',
    );
    // Offsets of less than a minute, before about 1970, are written differently by the two.
    const local = fc.oneof(
      fc.integer({ min: Date.UTC(1972, 6, 1), max: Date.UTC(2037, 0, 1) }),
      // Within two days of a usual change of the clocks.
      fc
        .tuple(
          fc.integer({ min: 1980, max: 2036 }),
          fc.constantFrom(2, 3, 8, 9, 10),
          fc.integer({ min: -3 * 1440, max: 35 * 1440 }),
        )
        .map(([year, month, minutes]) => Date.UTC(year, month, 1) + minutes * 60_000),
    );
    fc.assert(
      fc.property(zone, local, (timeZone, milliseconds) => {
        const text = new Date(milliseconds).toISOString().slice(0, -1);
        const plain = Temporal.PlainDateTime.from(text);
        const earlier = plain.toZonedDateTime(timeZone, { disambiguation: 'earlier' }).epochMilliseconds;
        const later = plain.toZonedDateTime(timeZone, { disambiguation: 'later' }).epochMilliseconds;
        const parsed = parseInstantDetailed(text, { zone: timeZone });
        expect(parsed.instant).toBe(
          plain.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds,
        );
        const exists = Temporal.Instant.fromEpochMilliseconds(earlier)
          .toZonedDateTimeISO(timeZone)
          .toPlainDateTime()
          .equals(plain);
        expect(parsed.resolution).toBe(earlier === later ? 'exact' : exists ? 'overlap' : 'gap');
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['Mars/Olympus', '', '+05:00', 'UTC+1'])('refuses the zone %j', (zone) => {
    expect(() => instantParser({ zone })).toThrow(/zone: got .*IANA name/);
  });

  it('keeps to years 0001 to 9999 in UTC', () => {
    expect(() => parseInstant('0001-01-01T00:00', { zone: 'Asia/Tokyo' })).toThrow(/in UTC/);
    expect(() => parseInstant('9999-12-31T23:00', { zone: 'America/New_York' })).toThrow(/in UTC/);
  });
});
