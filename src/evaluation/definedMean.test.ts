import { describe, expect, it } from 'vitest';
import { definedMean, nullable } from './definedMean.js';

describe('defined mean', () => {
  it('says over how many queries a metric is defined (case 27)', () => {
    expect(definedMean(Float64Array.of(1, Number.NaN, 0, 0.5))).toEqual({ mean: 0.5, defined: 3, of: 4 });
  });

  it('is null, not NaN or 0, when no query defines the metric', () => {
    expect(definedMean(Float64Array.of(Number.NaN))).toEqual({ mean: null, defined: 0, of: 1 });
    expect(definedMean(new Float64Array(0))).toEqual({ mean: null, defined: 0, of: 0 });
  });

  it('has null for a column entry that is not defined', () => {
    expect([nullable(0), nullable(Number.NaN)]).toEqual([0, null]);
  });
});
