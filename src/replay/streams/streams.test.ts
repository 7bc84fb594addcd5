import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Products, productOf } from '../../corpus/products.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { productsOf } from '../../memory/testing/mechanismContract.js';
import { RandomSource } from '../../random/RandomSource.js';
import { goldOverlapStream } from './goldOverlap.js';
import { naturalStream } from './natural.js';
import { randomStream } from './random.js';
import { semanticStream } from './semantic.js';
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

describe('semanticStream', () => {
  const options = { clusters: 0, shortestBurst: 4, longestBurst: 16 };
  /** Requests around `topics` directions, in turn. */
  const pointsAround = (count: number, topics: number) => {
    const random = new RandomSource(5, 'test/semantic');
    const matrix = new Float32Array(count * 8);
    for (let i = 0; i < count; i++) {
      for (let d = 0; d < 8; d++) matrix[i * 8 + d] = (d === i % topics ? 1 : 0) + 0.05 * (random.unit() - 0.5);
    }
    return { matrix, count, dimension: 8 };
  };

  it('holds each request once, the same for the same seed, another for another', async () => {
    const points = pointsAround(200, 5);
    const { order, parameters } = await semanticStream(points, 3, options);
    expect(permutation(order)).toEqual(upTo(200));
    expect(parameters).toMatchObject({ clusters: Math.round(Math.sqrt(200)), shortestBurst: 4, longestBurst: 16 });
    expect((await semanticStream(points, 3, options)).order).toEqual(order);
    expect((await semanticStream(points, 4, options)).order).not.toEqual(order);
  });

  it('emits runs of 4 to 16 from one cluster; shorter ones only when a cluster is used up', async () => {
    const topics = 5;
    const { order } = await semanticStream(pointsAround(300, topics), 1, { ...options, clusters: topics });
    const runs: number[] = [];
    for (const [position, request] of order.entries()) {
      if (position > 0 && request % topics === order[position - 1]! % topics) runs[runs.length - 1]!++;
      else runs.push(1);
    }
    // Two bursts of one cluster may follow one another, so runs may be longer than a burst, but not shorter.
    expect(runs.filter((length) => length < 4).length).toBeLessThanOrEqual(topics);
    expect(runs.length).toBeLessThan(300 / 4);
  });

  it('copes with none, one, and all the same requests', async () => {
    expect(
      (await semanticStream({ matrix: new Float32Array(0), count: 0, dimension: 8 }, 1, options)).order,
    ).toHaveLength(0);
    expect([...(await semanticStream(pointsAround(1, 1), 1, options)).order]).toEqual([0]);
    const same = { matrix: new Float32Array(40 * 8).fill(0.5), count: 40, dimension: 8 };
    expect(permutation((await semanticStream(same, 1, options)).order)).toEqual(upTo(40));
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
