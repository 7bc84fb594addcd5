import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFloat16, encodeFloat16, isNonFiniteFloat16 } from './float16.js';

function encode(...values: number[]): number[] {
  const halves = new Uint16Array(values.length);
  encodeFloat16(Float32Array.from(values), halves);
  return [...halves];
}

const allHalves = Uint16Array.from({ length: 0x10000 }, (_, half) => half);
const allValues = new Float32Array(0x10000);
decodeFloat16(allHalves, allValues);

/** Finite non-negative halves in ascending order: their bits are in the order of their values. */
const ascending = allValues.subarray(0, 0x7c00);

/** Nearest half by search over all halves, ties to the even one. */
function nearestHalf(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  let above = ascending.findIndex((half) => half >= magnitude);
  if (above < 0) above = 0x7bff;
  if (above === 0 || ascending[above] === magnitude) return sign | above;
  const below = above - 1;
  const up = ascending[above]! - magnitude;
  const down = magnitude - ascending[below]!;
  if (up !== down) return sign | (up < down ? above : below);
  return sign | (above % 2 === 0 ? above : below);
}

describe('float16', () => {
  it('decodes every half to the value that IEEE 754 gives it', () => {
    for (const half of allHalves) {
      const view = new DataView(new ArrayBuffer(4));
      // binary32 has the same layout with wider fields; subnormal halves are multiples of 2^-24.
      const exponent = (half >> 10) & 31;
      const fraction = half & 1023;
      const sign = half & 0x8000 ? -1 : 1;
      if (exponent === 0) expect(allValues[half]).toBe(sign * fraction * 2 ** -24);
      else {
        view.setUint32(
          0,
          ((half & 0x8000) << 16) | ((exponent === 31 ? 255 : exponent + 112) << 23) | (fraction << 13),
        );
        expect(allValues[half]).toBe(view.getFloat32(0));
      }
    }
  });

  it('encodes every decoded half back to itself, and every NaN to a quiet NaN of its sign', () => {
    const again = new Uint16Array(0x10000);
    encodeFloat16(allValues, again);
    for (const half of allHalves) {
      const isNaNHalf = (half & 0x7c00) === 0x7c00 && (half & 0x3ff) !== 0;
      if (isNaNHalf) expect(again[half]! & 0x7fff).toBe(0x7e00);
      else expect(again[half]).toBe(half);
    }
  });

  it('rounds to the nearest half, ties to even', () => {
    const halfway = Array.from({ length: 0x7bff }, (_, i) => (ascending[i]! + ascending[i + 1]!) / 2);
    const encoded = encode(...halfway);
    for (const [i, half] of encoded.entries()) expect(half).toBe(i % 2 === 0 ? i : i + 1);
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (value) => {
        expect(encode(value)).toEqual([nearestHalf(value)]);
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.float({ noNaN: true, min: -70_000, max: 70_000 }), (value) => {
        expect(encode(value)).toEqual([nearestHalf(value)]);
      }),
      { numRuns: 2000 },
    );
  });

  it('overflows at 65520, keeps the sign of zero, and lets the smallest numbers vanish', () => {
    expect(encode(65504, 65519.996, 65520, -65520, Number.POSITIVE_INFINITY)).toEqual([
      0x7bff, 0x7bff, 0x7c00, 0xfc00, 0x7c00,
    ]);
    expect(encode(0, -0, 2 ** -25, 2 ** -25 * 1.0001, 2 ** -149, -(2 ** -24))).toEqual([0, 0x8000, 0, 1, 0, 0x8001]);
    expect([0x7c00, 0xfc00, 0x7e00, 0x7bff, 0].map(isNonFiniteFloat16)).toEqual([true, true, true, false, false]);
  });
});
