import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosineOf, innerProduct } from './cosine.js';
import { kthLargest } from './kthLargest.js';

describe('kthLargest', () => {
  it('is the number at place k of the descending order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.float({ noNaN: true })), { minLength: 1 }),
        (array) => {
          const values = Float32Array.from(array);
          const descending = [...values].sort((a, b) => b - a);
          for (const [i, expected] of descending.entries()) {
            // 0 and -0 are equal numbers.
            expect(kthLargest(Float32Array.from(values), i + 1) + 0).toBe(expected + 0);
          }
        },
      ),
    );
  });

  it('copes with many equal numbers and with sorted ones', () => {
    expect(kthLargest(new Float32Array(10_000).fill(2), 5000)).toBe(2);
    const ascending = Float32Array.from({ length: 10_000 }, (_, i) => i);
    expect(kthLargest(ascending.slice(), 1)).toBe(9999);
    expect(kthLargest(ascending.reverse(), 10_000)).toBe(0);
  });
});

describe('innerProduct', () => {
  it('is the sum of products, within double-precision rounding, at any offset', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.float({ min: -8, max: 8, noNaN: true }), fc.float({ min: -8, max: 8, noNaN: true })), {
          maxLength: 20,
        }),
        fc.nat({ max: 3 }),
        (pairs, offset) => {
          const a = Float32Array.from([...new Array(offset).fill(9), ...pairs.map(([x]) => x)]);
          const b = Float32Array.from(pairs.map(([, y]) => y));
          const expected = pairs.reduce((sum, [x, y]) => sum + x * y, 0);
          expect(innerProduct(a, offset, b, 0, pairs.length)).toBeCloseTo(expected, 10);
        },
      ),
    );
  });
});

describe('cosineOf', () => {
  it('stays within -1 and 1 when rounding would carry it past', () => {
    expect(cosineOf(1 + 1e-15, 1, 1)).toBe(1);
    expect(cosineOf(-4 - 1e-14, 2, 2)).toBe(-1);
    expect(cosineOf(1, 2, 2)).toBe(0.25);
  });
});
