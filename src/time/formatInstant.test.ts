import { describe, expect, it } from 'vitest';
import { formatInstant } from './formatInstant.js';
import { firstInstant, lastInstant } from './instant.js';

describe('formatInstant', () => {
  it.each([
    [0, '1970-01-01T00:00:00Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [1_390_335_965_383, '2014-01-21T20:26:05.383Z'],
    [firstInstant, '0001-01-01T00:00:00Z'],
    [lastInstant, '9999-12-31T23:59:59.999Z'],
  ])('writes %d as %s', (instant, text) => {
    expect(formatInstant(instant)).toBe(text);
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, 0.5, firstInstant - 1, lastInstant + 1])('refuses %d', (instant) => {
    expect(() => formatInstant(instant)).toThrow(/years 0001 to 9999/);
  });
});
