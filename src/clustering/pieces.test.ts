import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MatrixProduct, productErrorBound } from '../inference/MatrixProduct.js';
import { RandomSource } from '../random/RandomSource.js';
import { distinctPoints } from './distinctPoints.js';
import { repairEmptyClusters } from './emptyClusters.js';
import { greedySeeds } from './greedySeeds.js';
import { latticePoints } from './latticePoints.js';
import { assignToNearest } from './nearestCentroids.js';
import { squaredDistance } from './squaredDistance.js';

let product: MatrixProduct;
beforeAll(async () => {
  product = await MatrixProduct.open({ threads: 2 });
});
afterAll(() => product.close());

const unitRandom = new RandomSource(3, 'test');
const randomMatrix = (length: number) => Float32Array.from({ length }, () => unitRandom.unit() - 0.5);

describe('distinctPoints', () => {
  it('finds the groups of equal rows, 0 and -0 being equal', () => {
    const rows = fc.array(fc.array(fc.constantFrom(0, -0, 1, 0.5), { minLength: 2, maxLength: 2 }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(rows, (list) => {
        const points = { matrix: Float32Array.from(list.flat()), count: list.length, dimension: 2 };
        const distinct = distinctPoints(points);
        const keys = list.map(([x, y]) => `${x! + 0},${y! + 0}`);
        const order = [...new Set(keys)];
        expect([...distinct.groupOf]).toEqual(keys.map((key) => order.indexOf(key)));
        expect([...distinct.weights]).toEqual(order.map((key) => keys.filter((other) => other === key).length));
        for (const [group, key] of order.entries()) {
          const [x, y] = distinct.matrix.subarray(group * 2, group * 2 + 2);
          expect(`${x! + 0},${y! + 0}`).toBe(key);
        }
      }),
    );
  });
});

describe('latticePoints', () => {
  it('makes integers whose single-precision products are exact', async () => {
    for (const [count, dimension] of [
      [200, 384],
      [50, 3],
      [20, 2000],
    ] as const) {
      const lattice = latticePoints({ matrix: randomMatrix(count * dimension), count, dimension });
      const products = new Float32Array(count * count);
      await product.multiply(lattice.matrix, lattice.matrix, dimension, products);
      for (let a = 0; a < count; a++) {
        expect(lattice.squaredNorms[a]).toBeLessThanOrEqual(2 ** 24);
        for (let b = 0; b < count; b++) {
          let exact = 0n;
          for (let i = 0; i < dimension && (a * 7 + b) % 13 === 0; i++) {
            exact += BigInt(lattice.matrix[a * dimension + i]!) * BigInt(lattice.matrix[b * dimension + i]!);
          }
          if ((a * 7 + b) % 13 === 0) expect(products[a * count + b]).toBe(Number(exact));
        }
      }
    }
  });

  it('keeps distances, up to its scale, wherever the points lie', () => {
    const matrix = randomMatrix(30 * 20).map((value) => value + 100);
    const lattice = latticePoints({ matrix, count: 30, dimension: 20 });
    const ratios = Array.from({ length: 29 }, (_, i) => {
      const real = squaredDistance(matrix, 0, matrix, (i + 1) * 20, 20);
      return squaredDistance(lattice.matrix, 0, lattice.matrix, (i + 1) * 20, 20) / real;
    });
    expect(Math.max(...ratios) / Math.min(...ratios)).toBeLessThan(1.01);
  });

  it('is all zeros for points that are all equal', () => {
    const lattice = latticePoints({ matrix: new Float32Array(6).fill(7), count: 3, dimension: 2 });
    expect([...lattice.matrix]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe('greedySeeds', () => {
  const seedsOf = async (values: readonly number[], k: number, weights = new Float64Array(values.length).fill(1)) => {
    const points = latticePoints({ matrix: Float32Array.from(values), count: values.length, dimension: 1 });
    return (await greedySeeds(points, weights, k, new RandomSource(1, 'test'), product)).points;
  };

  it('chooses different points, one from each far group before a second from any', async () => {
    const values = Array.from({ length: 50 }, (_, i) => (i % 5) * 1000 + i / 100);
    const seeds = await seedsOf(values, 5);
    expect(new Set(seeds.map((seed) => seed % 5)).size).toBe(5);
    const all = await seedsOf(values, 50);
    expect([...all].sort((a, b) => a - b)).toEqual([...values.keys()]);
    expect(await seedsOf([1, 2], 9)).toHaveLength(2);
  });

  it('also takes points that coincide on the lattice, when there are no others', async () => {
    const seeds = await seedsOf([0, 1e-7, 2e-7, 1], 4);
    expect([...seeds].sort()).toEqual([0, 1, 2, 3]);
  });
});

describe('assignToNearest', () => {
  it('settles ties and near ties in double precision: the lowest of equals', async () => {
    const dimension = 64;
    const point = randomMatrix(dimension);
    const rows = Array.from({ length: 40 }, (_, row) => {
      const copy = Float32Array.from(point);
      copy[row % dimension]! += row === 17 || row === 23 ? 2 ** -20 : 2 ** -19;
      return copy;
    });
    // 23 gets the very row of 17.
    rows[23] = Float32Array.from(rows[17]!);
    const centroids = { clusters: 40, matrix: Float32Array.from(rows.flatMap((row) => [...row])) };
    const labels = new Uint32Array(1);
    const norms = Float64Array.of(Math.hypot(...point));
    await assignToNearest({ matrix: point, count: 1, dimension }, norms, centroids, labels, product);
    expect([...labels]).toEqual([17]);
  });
});

describe('repairEmptyClusters', () => {
  it('gives an empty cluster the farthest point of a cluster that keeps others', () => {
    const points = { matrix: Float32Array.of(0, 1, 2, 50, 100), count: 5, dimension: 1 };
    const labels = Uint32Array.of(0, 0, 0, 0, 2);
    const centroids = { clusters: 4, matrix: Float32Array.of(1, -5, 500, -6) };
    expect(repairEmptyClusters(points, labels, centroids)).toBe(true);
    // 100 lies farthest, but it is alone; then 50, then (0 and 2 being equally far) 0.
    expect([...labels]).toEqual([3, 0, 0, 1, 2]);
    expect([...centroids.matrix]).toEqual([1, 50, 500, 0]);
    expect(repairEmptyClusters(points, labels, centroids)).toBe(false);
  });
});

describe('productErrorBound', () => {
  it('covers the error of single-precision products', async () => {
    const dimension = 384;
    const matrix = randomMatrix(60 * dimension);
    const products = new Float32Array(60 * 60);
    await product.multiply(matrix, matrix, dimension, products);
    const norms = Array.from({ length: 60 }, (_, i) =>
      Math.hypot(...matrix.subarray(i * dimension, (i + 1) * dimension)),
    );
    for (let a = 0; a < 60; a++) {
      for (let b = 0; b < 60; b++) {
        let exact = 0;
        for (let i = 0; i < dimension; i++) exact += matrix[a * dimension + i]! * matrix[b * dimension + i]!;
        const error = Math.abs(products[a * 60 + b]! - exact);
        expect(error).toBeLessThanOrEqual(productErrorBound(dimension, norms[a]!, norms[b]!));
      }
    }
  });
});
