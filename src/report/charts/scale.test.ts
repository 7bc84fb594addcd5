import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearAxis, logScale, thinned } from './scale.js';
import { fitText, textWidth } from './textWidth.js';

const finite = fc.double({ min: -1e9, max: 1e9, noNaN: true });

describe('linearAxis', () => {
  it('keeps every value and zero between its ends, in order, with ticks in place', () => {
    fc.assert(
      fc.property(fc.array(finite, { maxLength: 20 }), (values) => {
        const { scale, ticks } = linearAxis(values, [100, 500]);
        for (const value of [...values, 0]) {
          expect(scale(value)).toBeGreaterThanOrEqual(100 - 1e-6);
          expect(scale(value)).toBeLessThanOrEqual(500 + 1e-6);
        }
        const places = ticks.map((tick) => scale(tick.value));
        expect(places.every((place) => place >= 100 - 1e-6 && place <= 500 + 1e-6)).toBe(true);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(ticks.filter(({ value }) => value === 0)).toHaveLength(1);
        expect(ticks.length).toBeLessThanOrEqual(9);
        expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
      }),
    );
  });

  it('passes over what is not finite', () => {
    const { scale, ticks } = linearAxis([Number.NaN, Number.POSITIVE_INFINITY, 3], [0, 10]);
    expect(scale(3)).toBeLessThanOrEqual(10);
    expect(ticks.every(({ value }) => Number.isFinite(value))).toBe(true);
  });

  it('turns round for a range that runs upwards on the page', () => {
    const { scale } = linearAxis([5], [150, 0]);
    expect(scale(0)).toBe(150);
    expect(scale(5)).toBeLessThan(10);
  });

  it.each([
    [[], ['−0.010', '−0.005', '0.000', '0.005', '0.010']],
    [
      [-12.91, 3.62],
      ['−10', '−5', '0'],
    ],
    [
      [0.012, 0.031],
      ['0.000', '0.005', '0.010', '0.015', '0.020', '0.025', '0.030'],
    ],
    [[120], ['0', '20', '40', '60', '80', '100', '120']],
  ])('labels ticks of %j with as many decimals as their step has', (values, labels) => {
    expect(linearAxis(values, [0, 100]).ticks.map(({ label }) => label)).toEqual(labels);
  });
});

describe('logScale', () => {
  it('keeps order and ends', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 1e6 }), { minLength: 2, maxLength: 12 }), (values) => {
        const scale = logScale(values, [0, 0.8]);
        const places = values.toSorted((a, b) => a - b).map(scale);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places[0]).toBeCloseTo(0, 12);
        expect(places.at(-1)).toBeCloseTo(0.8, 12);
      }),
    );
  });

  it('puts a single value in the middle', () => {
    expect(logScale([10], [0, 1])(10)).toBe(0.5);
  });
});

describe('thinned', () => {
  it('keeps first and last, and nothing that runs into another', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 300, noNaN: true }), { minLength: 1 }), (values) => {
        const places = values.toSorted((a, b) => a - b);
        const kept = thinned(
          places,
          (place) => place,
          () => 20,
        );
        expect(kept[0]).toBe(places[0]);
        for (let i = 1; i < kept.length; i++) expect(kept[i]! - kept[i - 1]!).toBeGreaterThanOrEqual(26);
        if (places.at(-1)! - places[0]! >= 26) expect(kept.at(-1)).toBe(places.at(-1));
      }),
    );
  });
});

describe('fitText', () => {
  it('leaves what fits, and cuts the rest to the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 20, max: 300 }), (text, width) => {
        const shown = fitText(text, width, 12);
        expect(textWidth(shown, 12)).toBeLessThanOrEqual(width + 0.01);
        if (textWidth(text, 12) <= width) expect(shown).toBe(text);
        else expect(text.startsWith(shown.slice(0, -1))).toBe(true);
      }),
    );
  });

  it('fits a text into its own width', () => {
    expect(fitText('feedback', textWidth('feedback', 12.5), 12.5)).toBe('feedback');
  });
});
