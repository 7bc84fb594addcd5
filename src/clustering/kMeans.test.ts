import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MatrixProduct } from '../inference/MatrixProduct.js';
import { RandomSource } from '../random/RandomSource.js';
import { kMeans } from './kMeans.js';
import { miniBatchKMeans } from './miniBatchKMeans.js';
import { squaredDistance } from './squaredDistance.js';
import type { Clustering, Points } from './types.js';

const products: MatrixProduct[] = [];
beforeAll(async () => {
  for (const threads of [1, 2, 4]) products.push(await MatrixProduct.open({ threads }));
});
afterAll(async () => {
  for (const product of products) await product.close();
});

function pointsOf(rows: readonly (readonly number[])[]): Points {
  return { matrix: Float32Array.from(rows.flat()), count: rows.length, dimension: rows[0]?.length ?? 1 };
}

/** Gaussian-like groups around `groups` centres. */
function groupedPoints(count: number, dimension: number, groups: number, spread: number): Points {
  const random = new RandomSource(11, 'test');
  const centres = Array.from({ length: groups }, () => Array.from({ length: dimension }, () => random.unit() * 10));
  const noise = () => (random.unit() + random.unit() + random.unit() - 1.5) * spread;
  return pointsOf(Array.from({ length: count }, (_, i) => centres[i % groups]!.map((value) => value + noise())));
}

/** Index of the nearest centroid by measuring every one. */
function nearest({ matrix, dimension }: Points, point: number, { centroids, clusters }: Clustering): number {
  const distances = Array.from({ length: clusters }, (_, cluster) =>
    squaredDistance(matrix, point * dimension, centroids, cluster * dimension, dimension),
  );
  return distances.indexOf(Math.min(...distances));
}

function inertiaByHand(points: Points, { labels, centroids }: Clustering): number {
  let sum = 0;
  for (const [point, label] of labels.entries()) {
    sum += squaredDistance(
      points.matrix,
      point * points.dimension,
      centroids,
      label * points.dimension,
      points.dimension,
    );
  }
  return sum;
}

const smallPoints = fc.integer({ min: 1, max: 4 }).chain((dimension) =>
  fc
    .array(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: dimension, maxLength: dimension }), {
      minLength: 1,
      maxLength: 40,
    })
    .map(pointsOf),
);

for (const [name, cluster] of [
  ['kMeans', kMeans],
  ['miniBatchKMeans', miniBatchKMeans],
] as const) {
  describe(name, () => {
    it('labels each point with its nearest centroid, leaves no cluster empty and no two alike', async () => {
      await fc.assert(
        fc.asyncProperty(smallPoints, fc.integer({ min: 1, max: 12 }), fc.nat(), async (points, k, seed) => {
          const result = await cluster(points, { k, seed, restarts: 2, product: products[0] });
          const distinct = new Set(
            Array.from({ length: points.count }, (_, i) =>
              [...points.matrix.subarray(i * points.dimension, (i + 1) * points.dimension)]
                .map((value) => value + 0)
                .join(),
            ),
          );
          expect(result.clusters).toBe(Math.min(k, distinct.size));
          expect(new Set(result.labels).size).toBe(result.clusters);
          for (const [point, label] of result.labels.entries()) expect(label).toBe(nearest(points, point, result));
          const rows = Array.from({ length: result.clusters }, (_, i) =>
            result.centroids.slice(i * points.dimension, (i + 1) * points.dimension).join(),
          );
          expect(new Set(rows).size).toBe(result.clusters);
          expect(result.inertia).toBeCloseTo(inertiaByHand(points, result), 6);
        }),
        { numRuns: 60 },
      );
    });

    it('finds 34 clusters, none twice, when 40 are asked of 905 points of which 34 are distinct (case 30)', async () => {
      const points = pointsOf(Array.from({ length: 905 }, (_, i) => [(i * i) % 34 === i ? i : i % 34, (i % 34) ** 2]));
      const result = await cluster(points, { k: 40, seed: 1, product: products[0] });
      expect(result.clusters).toBe(34);
      expect(result.inertia).toBe(0);
      expect(new Set(result.labels).size).toBe(34);
    });

    it('gives the same result to the last bit for any number of threads, and another for another seed', async () => {
      const points = groupedPoints(1500, 48, 30, 4);
      const results = [];
      for (const product of products) results.push(await cluster(points, { k: 24, seed: 5, restarts: 2, product }));
      expect(results[1]).toEqual(results[0]);
      expect(results[2]).toEqual(results[0]);
      const other = await cluster(points, { k: 24, seed: 6, restarts: 1, product: products[0] });
      expect(other.labels).not.toEqual(results[0]!.labels);
    });

    it('finds well separated groups', async () => {
      const points = groupedPoints(600, 16, 12, 0.5);
      const result = await cluster(points, { k: 12, seed: 3, product: products[0] });
      for (const [point, label] of result.labels.entries()) expect(label).toBe(result.labels[point % 12]);
      expect(new Set(result.labels).size).toBe(12);
    });

    it('clusters by direction when spherical: scale does not matter, centroids have length 1', async () => {
      const points = groupedPoints(400, 6, 5, 2);
      const scaled = { ...points, matrix: points.matrix.map((value, i) => value * (1 + (Math.floor(i / 6) % 3))) };
      const options = { k: 5, seed: 2, spherical: true, product: products[0] };
      const [plain, stretched] = [await cluster(points, options), await cluster(scaled, options)];
      expect(stretched.labels).toEqual(plain.labels);
      for (let i = 0; i < 5; i++) expect(Math.hypot(...plain.centroids.slice(i * 6, i * 6 + 6))).toBeCloseTo(1, 5);
      const zero = pointsOf([
        [1, 0],
        [0, 0],
      ]);
      await expect(cluster(zero, { ...options, k: 1 })).rejects.toThrow(/vector of row 1/);
    });

    it('refuses no points, no clusters, other sizes, and numbers that are not finite', async () => {
      const points = pointsOf([
        [1, 2],
        [3, 4],
      ]);
      await expect(cluster({ ...points, count: 0 }, { k: 1, seed: 1 })).rejects.toThrow(/count: got 0/);
      await expect(cluster(points, { k: 0, seed: 1 })).rejects.toThrow(InvalidArgumentError);
      await expect(cluster(points, { k: 1.5, seed: 1 })).rejects.toThrow(/k: got 1\.5/);
      await expect(cluster({ ...points, count: 3 }, { k: 1, seed: 1 })).rejects.toThrow(
        /matrix: got 4, expected 3 x 2/,
      );
      const product = products[0];
      const infinite = pointsOf([[1, Number.NaN]]);
      await expect(cluster(infinite, { k: 1, seed: 1, product })).rejects.toThrow(/vector of row 0/);
    });
  });
}

describe('kMeans', () => {
  it('ends, without a limit on moves, at centroids that are the means of their points', async () => {
    const points = groupedPoints(300, 5, 8, 6);
    const result = await kMeans(points, { k: 8, seed: 4, tolerance: 0, product: products[0] });
    for (let cluster = 0; cluster < 8; cluster++) {
      const members = [...result.labels.keys()].filter((point) => result.labels[point] === cluster);
      for (let i = 0; i < 5; i++) {
        const mean = members.reduce((sum, point) => sum + points.matrix[point * 5 + i]!, 0) / members.length;
        expect(result.centroids[cluster * 5 + i]).toBeCloseTo(mean, 5);
      }
    }
  });

  it('counts copies of a point as often as they occur', async () => {
    const result = await kMeans(pointsOf([[0], [0], [0], [4]]), { k: 1, seed: 1, product: products[0] });
    expect([...result.centroids]).toEqual([1]);
    expect(result.inertia).toBe(12);
  });

  it('keeps the best of its restarts', async () => {
    const points = groupedPoints(300, 4, 20, 1);
    const inertia = async (restarts: number) =>
      (await kMeans(points, { k: 20, seed: 8, restarts, product: products[0] })).inertia;
    expect(await inertia(10)).toBeLessThanOrEqual(await inertia(1));
  });
});
