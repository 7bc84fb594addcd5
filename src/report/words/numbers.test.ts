import { describe, expect, it } from 'vitest';
import {
  confidenceText,
  countText,
  differenceText,
  estimateText,
  intervalText,
  percentText,
  ratioText,
  similarityText,
  valueText,
} from './numbers.js';

const estimate = { reason: null, clusters: 9, observations: 9, undefinedResamples: 0 };

describe('numbers of a report', () => {
  it('are points with two decimals, intervals in brackets', () => {
    expect(estimateText({ ...estimate, mean: 0.04786, interval: { lower: 0.0418, upper: 0.054 } })).toBe(
      '+4.79 [4.18, 5.40]',
    );
    expect(estimateText({ ...estimate, mean: -0.1437, interval: { lower: -0.15, upper: -0.1 } })).toBe(
      '−14.37 [−15.00, −10.00]',
    );
  });

  it('are ranks as they are where ranks are meant', () => {
    expect(differenceText(-2.4149, 'ranks')).toBe('−2.41');
    expect(valueText(67.72106, 'ranks')).toBe('67.72');
  });

  it('say why there is no interval, or no value', () => {
    const lone = { ...estimate, mean: 0.01, interval: null, reason: 'fewer than two clusters' as const };
    expect(estimateText(lone)).toBe('+1.00 (fewer than two clusters)');
    expect(estimateText({ ...lone, mean: null })).toBe('not defined');
    expect(valueText(null)).toBe('–');
    expect(valueText(undefined)).toBe('–');
  });

  it('keep the side of zero of what is too small to show, and give zero no sign', () => {
    expect(differenceText(0.00001)).toBe('+0.00');
    expect(differenceText(-0.00001)).toBe('−0.00');
    expect(differenceText(0)).toBe('0.00');
    expect(differenceText(-0)).toBe('0.00');
    expect(intervalText({ lower: 0.00001, upper: 0.01 })).toBe('[+0.00, 1.00]');
    expect(intervalText({ lower: -0.00001, upper: 0 })).toBe('[−0.00, 0.00]');
  });

  it('are percentages of ratios, or the reason for none on one line', () => {
    const ratio = { reason: null, undefinedResamples: 0 };
    expect(ratioText({ ...ratio, value: 0.2804, interval: { lower: 0.2366, upper: -0.01 } })).toBe(
      '28.0% [23.7%, −1.0%]',
    );
    expect(ratioText({ ...ratio, value: 0.5, interval: null, reason: 'fewer than two clusters' })).toBe(
      '50.0% (fewer than two clusters)',
    );
    expect(ratioText({ ...ratio, value: null, interval: null, reason: 'no harm: P - S >= 0' })).toBe(
      'no harm: P\u00a0−\u00a0S\u00a0≥\u00a00',
    );
    expect(percentText(null)).toBe('–');
  });

  it('are grouped by thousands, whatever the locale', () => {
    expect([0, 999, 1000, 1234567].map(countText)).toEqual(['0', '999', '1,000', '1,234,567']);
  });

  it('state confidence without noise from binary fractions', () => {
    expect([0.95, 0.57, 0.995].map(confidenceText)).toEqual(['95%', '57%', '99.5%']);
  });

  it('state similarities with three decimals', () => {
    expect([0.9044, null].map(similarityText)).toEqual(['0.904', '–']);
  });
});
