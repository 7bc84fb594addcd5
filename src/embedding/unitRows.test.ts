import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { scaleRowsToUnitLength } from './unitRows.js';

describe('scaleRowsToUnitLength', () => {
  it('scales in place, and counts zero rows without making a NaN (case 24)', () => {
    const matrix = Float32Array.of(3, 4, 0, 0, -0, 0, 1e-30, 0, 3e38, 3e38);
    const { norms, zeroRows } = scaleRowsToUnitLength(matrix, 2);
    expect(zeroRows).toBe(2);
    expect([...matrix.subarray(0, 8)]).toEqual([Math.fround(0.6), Math.fround(0.8), 0, 0, -0, 0, 1, 0]);
    expect([...norms].map((norm) => norm.toFixed(6))).toEqual([
      '1.000000',
      '0.000000',
      '0.000000',
      '1.000000',
      '1.000000',
    ]);
  });

  it('refuses a NaN and an infinity, naming the row', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => scaleRowsToUnitLength(Float32Array.of(1, 0, 0, value), 2)).toThrow(InvalidArgumentError);
      expect(() => scaleRowsToUnitLength(Float32Array.of(1, 0, 0, value), 2)).toThrow(/row 1/);
    }
  });
});
