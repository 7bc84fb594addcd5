import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant } from './formatInstant.js';
import { firstInstant, lastInstant } from './instant.js';
import { type InstantFormat, instantParser, parseInstant, parseInstantDetailed } from './parseInstant.js';

const anyInstant = fc.integer({ min: firstInstant, max: lastInstant });

describe('parseInstant of numbers', () => {
  it.each([1_700_000_000, '1700000000', 1_700_000_000n])(
    'needs a unit for %s, and names the two readings (case 14)',
    (value) => {
      expect(() => parseInstant(value)).toThrow(/s \(2023-11-14T22:13:20Z\) or ms \(1970-01-20T16:13:20Z\)/);
      expect(() => parseInstant(value, { zone: 'UTC' })).toThrow(/an epoch unit/);
      expect(formatInstant(parseInstant(value, { epoch: 's' }))).toBe('2023-11-14T22:13:20Z');
    },
  );

  it('names the two coarsest units that fit', () => {
    expect(() => parseInstant('1700000000000')).toThrow(/ms \(2023-11-14T22:13:20Z\) or us \(1970-01-20T16:13:20Z\)/);
    expect(() => parseInstant(`1${'0'.repeat(30)}`)).toThrow(/no epoch unit/);
  });

  it('asks for a unit of digits that might be a compact date or a year', () => {
    expect(() => parseInstant('20240301')).toThrow(/an epoch unit/);
    expect(parseInstant('20240301', { dateFormat: 'YYYYMMDD' })).toBe(Date.UTC(2024, 2, 1));
  });

  it.each([
    ['ms', 1_700_000_000_123, 1_700_000_000_123, false],
    ['s', -1, -1_000, false],
    ['s', '1700000000.1239', 1_700_000_000_123, true],
    ['s', 1_700_000_000.5, 1_700_000_000_500, false],
    ['s', '-0.0001', -1, true],
    ['us', -1, -1, true],
    ['us', 9_007_199_254_740_991, 9_007_199_254_740, true],
    ['ns', '1700000000123456789', 1_700_000_000_123, true],
    ['ns', 1_700_000_000_123_456_789n, 1_700_000_000_123, true],
    ['s', 0, 0, false],
  ] as const)('reads %s %s exactly, cut towards the past', (epoch, value, instant, truncated) => {
    expect(parseInstantDetailed(value, { epoch })).toEqual({ instant, resolution: 'exact', truncated });
  });

  it('gives a number and its text the same instant', () => {
    const unit = fc.constantFrom('s', 'ms', 'us', 'ns');
    const count = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -70_000_000_000, max: 300_000_000_000 }));
    const outcome = (value: unknown, epoch: 's' | 'ms' | 'us' | 'ns') => {
      try {
        return parseInstantDetailed(value, { epoch });
      } catch {
        return 'refused';
      }
    };
    fc.assert(
      fc.property(count, unit, (value, epoch) => {
        expect(outcome(value, epoch)).toEqual(outcome(String(value), epoch));
      }),
    );
  });

  it('inverts every unit', () => {
    fc.assert(
      fc.property(anyInstant, fc.nat(999_999), (instant, nanoseconds) => {
        expect(parseInstant(String(instant), { epoch: 'ms' })).toBe(instant);
        expect(parseInstant(BigInt(instant) * 1_000_000n + BigInt(nanoseconds), { epoch: 'ns' })).toBe(instant);
        expect(parseInstant(Math.floor(instant / 1_000), { epoch: 's' })).toBe(Math.floor(instant / 1_000) * 1_000);
      }),
    );
  });

  it.each(['2024-03-01', '', ' 1', '1e9', '0x10', '1_000', 'NaN', '.5', '1.', Number.NaN, 1e300, null, true])(
    'refuses %j, no decimal number, where a unit is set',
    (value) => {
      expect(() => parseInstant(value, { epoch: 's' })).toThrow(/a decimal number of s since the epoch/);
    },
  );

  it('refuses an integer that a number no longer holds exactly', () => {
    expect(() => parseInstant(2 ** 53, { epoch: 'ns' })).toThrow(/as a text/);
  });

  it('refuses what lies outside years 0001 to 9999', () => {
    expect(() => parseInstant(253_402_300_800, { epoch: 's' })).toThrow(/years 0001 to 9999/);
    expect(parseInstant('253402300799.9999', { epoch: 's' })).toBe(lastInstant);
    expect(() => parseInstant('-62135596800.0001', { epoch: 's' })).toThrow(/years 0001 to 9999/);
  });

  it('refuses a unit that is none', () => {
    expect(() => instantParser({ epoch: 'minutes' } as unknown as InstantFormat)).toThrow(
      /epoch: got "minutes", expected s, ms, us, ns/,
    );
  });
});
