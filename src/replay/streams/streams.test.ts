import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Products, productOf } from '../../corpus/products.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { productsOf } from '../../memory/testing/mechanismContract.js';
import { goldOverlapStream } from './goldOverlap.js';
import { naturalStream } from './natural.js';
import { randomStream } from './random.js';
import { streamHash } from './stream.js';

const gold = fc.array(fc.uniqueArray(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 40,
});
const permutation = (order: Uint32Array) => Array.from(order).sort((a, b) => a - b);
const upTo = (size: number) => [...Array(size).keys()];

describe('randomStream', () => {
  it('holds each request once, the same for the same seed, another for another', () => {
    const { order } = randomStream(500, 3);
    expect(permutation(order)).toEqual(upTo(500));
    expect(randomStream(500, 3).order).toEqual(order);
    expect(randomStream(500, 4).order).not.toEqual(order);
    expect(randomStream(0, 1).order).toHaveLength(0);
  });

  it('has a hash of its order that is pinned: a change of generator must be a decision', () => {
    const ids = upTo(100).map((request) => `q${request}`);
    expect(streamHash(randomStream(100, 1).order, ids)).toBe(
      '22f18dbb9bce132f209b4354f7c30f7b5bd482bce44f0fe36de54bf5df743549',
    );
  });
});

describe('naturalStream', () => {
  it('follows the recorded clock, ties by request id', () => {
    const requests = { ids: ['a', 'b', 'c', 'd'], observedAt: Float64Array.of(9, 3, 9, 1) };
    const stream = naturalStream(requests, 'test');
    expect(Array.from(stream.order)).toEqual([3, 1, 0, 2]);
    expect(stream).toMatchObject({ usesGold: false, clockKind: 'recorded' });
  });

  it('refuses requests without a clock, naming the first', () => {
    const requests = { ids: ['a', 'b'], observedAt: Float64Array.of(1, Number.NaN) };
    expect(() => naturalStream(requests, 'test')).toThrow(InvalidInputError);
    expect(() => naturalStream(requests, 'test')).toThrow('test: request b: observedAt');
  });
});

describe('goldOverlapStream', () => {
  const follows = (products: Products, order: Uint32Array) =>
    Array.from(order.subarray(1), (request, i) => {
      const before = new Set(productOf(products, order[i]!));
      return productOf(products, request).some((row) => before.has(row));
    });

  it('is a permutation, tagged as one that looked at labels', () => {
    fc.assert(
      fc.property(gold, fc.nat(), (products, seed) => {
        const stream = goldOverlapStream(productsOf(products), seed);
        expect(permutation(stream.order)).toEqual(upTo(products.length));
        expect(stream.usesGold).toBe(true);
      }),
    );
  });

  it('goes on with a request that shares an asset whenever one is left', () => {
    fc.assert(
      fc.property(gold, fc.nat(), (lists, seed) => {
        const products = productsOf(lists);
        const { order } = goldOverlapStream(products, seed);
        for (const [i, shares] of follows(products, order).entries()) {
          if (shares) continue;
          const current = new Set(productOf(products, order[i]!));
          const left = Array.from(order.subarray(i + 1));
          expect(left.some((request) => productOf(products, request).some((row) => current.has(row)))).toBe(false);
        }
      }),
    );
  });
});
