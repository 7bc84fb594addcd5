import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.js';

const hour = 3_600_000;
const day = 24 * hour;

describe('parseDuration', () => {
  it.each([
    ['14d', 14 * day],
    ['36h', 36 * hour],
    ['90m', 1.5 * hour],
    ['2w', 14 * day],
    ['30s', 30_000],
    ['250ms', 250],
    ['1d12h', 36 * hour],
    ['1w2d3h4m5s6ms', 9 * day + 3 * hour + 245_006],
    ['1.5h', 1.5 * hour],
    ['1d0.5h', 24.5 * hour],
    ['0.001s', 1],
    ['1.1h', 3_960_000],
    ['0d', 0],
    ['P14D', 14 * day],
    ['PT36H', 36 * hour],
    ['P2W', 14 * day],
    ['P1DT12H', 36 * hour],
    ['PT90M', 1.5 * hour],
    ['PT0,5S', 500],
    ['P1W1D', 8 * day],
  ])('reads %s', (text, duration) => {
    expect(parseDuration(text)).toBe(duration);
  });

  it.each(['1M', '1mo', '3 months', 'P1M', 'P1Y', 'P1Y2M3D', '1y', '2 years', '1yr'])(
    'refuses %s, which has no fixed length',
    (text) => {
      expect(() => parseDuration(text)).toThrow(/months and years have none/);
    },
  );

  it.each([
    ['', /a duration such as/],
    ['14', /a unit after the number/],
    ['0', /a unit after the number/],
    ['-1d', /a duration such as/],
    ['+1d', /a duration such as/],
    ['1 d', /a duration such as/],
    ['1d ', /a duration such as/],
    ['12h1d', /a duration such as/],
    ['1h1h', /a duration such as/],
    ['d', /a duration such as/],
    ['P', /a duration such as/],
    ['PT', /a duration such as/],
    ['P1DT', /a duration such as/],
    ['P1H', /a duration such as/],
    ['1,5h', /a duration such as/],
    ['1.5d2h', /a fraction on the last number only/],
    ['0.5ms', /a duration such as/],
    ['0.0001s', /whole milliseconds/],
    ['999999999999w', /a length below/],
  ])('refuses %j', (text, message) => {
    expect(() => parseDuration(text)).toThrow(message);
  });

  it('refuses a number', () => {
    expect(() => parseDuration(14 as unknown as string)).toThrow(/as text/);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0s'],
    [14 * day, '14d'],
    [36 * hour, '1d12h'],
    [90 * 60_000, '1h30m'],
    [1_001, '1s1ms'],
  ])('writes %d as %s', (duration, text) => {
    expect(formatDuration(duration)).toBe(text);
  });

  it('writes what parseDuration reads back', () => {
    fc.assert(fc.property(fc.maxSafeNat(), (duration) => parseDuration(formatDuration(duration)) === duration));
    fc.assert(fc.property(fc.nat(10_000_000), (duration) => parseDuration(formatDuration(duration)) === duration));
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (duration) => {
    expect(() => formatDuration(duration)).toThrow(/0 or more/);
  });
});
