import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scaleRowsToUnitLength } from '../embedding/unitRows.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MatrixProduct } from '../inference/MatrixProduct.js';
import { RandomSource } from '../random/RandomSource.js';
import { clusterCountRules, kMeansOfChosenCount } from './chooseClusterCount.js';
import { cosineSilhouette } from './silhouette.js';
import type { Points } from './types.js';

let product: MatrixProduct;
beforeAll(async () => {
  product = await MatrixProduct.open();
});
afterAll(() => product.close());

function unitPoints(rows: readonly (readonly number[])[]): Points {
  const matrix = Float32Array.from(rows.flat());
  scaleRowsToUnitLength(matrix, rows[0]!.length);
  return { matrix, count: rows.length, dimension: rows[0]!.length };
}

/** Unit vectors near `groups` orthogonal directions. */
function groupedPoints(sizes: readonly number[]): Points {
  const random = new RandomSource(5, 'test');
  return unitPoints(
    sizes.flatMap((size, group) =>
      Array.from({ length: size }, () =>
        Array.from({ length: 12 }, (_, i) => (i === group ? 1 : 0) + (random.unit() - 0.5) * 0.2),
      ),
    ),
  );
}

/** The definition, pair by pair. */
function slowSilhouette({ matrix, count, dimension }: Points, labels: Uint32Array, clusters: number): number {
  const distance = (a: number, b: number) => {
    let product = 0;
    for (let i = 0; i < dimension; i++) product += matrix[a * dimension + i]! * matrix[b * dimension + i]!;
    return 1 - product;
  };
  let total = 0;
  for (let a = 0; a < count; a++) {
    const means = Array.from({ length: clusters }, (_, cluster) => {
      const others = Array.from(labels.keys()).filter((b) => b !== a && labels[b] === cluster);
      return others.reduce((sum, b) => sum + distance(a, b), 0) / others.length;
    });
    const own = means[labels[a]!]!;
    if (Number.isNaN(own)) continue;
    const nearest = Math.min(...means.filter((_, cluster) => cluster !== labels[a]));
    if (Math.max(own, nearest) > 0) total += (nearest - own) / Math.max(own, nearest);
  }
  return total / count;
}

describe('cosineSilhouette', () => {
  it('is what the definition gives, pair by pair', () => {
    const cloud = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -9, max: 9 })), {
      minLength: 2,
      maxLength: 25,
    });
    fc.assert(
      fc.property(cloud, fc.integer({ min: 2, max: 4 }), (rows, wanted) => {
        const points = unitPoints(rows);
        const clusters = Math.min(wanted, rows.length);
        const labels = Uint32Array.from(rows, (_, row) => row % clusters);
        expect(cosineSilhouette(points, labels, clusters)).toBeCloseTo(slowSilhouette(points, labels, clusters), 4);
      }),
    );
  });

  it('is not defined for one cluster', () => {
    expect(cosineSilhouette(unitPoints([[1, 0]]), Uint32Array.of(0), 1)).toBeNaN();
  });
});

describe('kMeansOfChosenCount', () => {
  for (const rule of clusterCountRules) {
    it(`finds as many clusters as there are groups, by ${rule}, the ends of the range included`, async () => {
      for (const groups of [2, 3, 5, 10]) {
        const points = groupedPoints(Array.from({ length: groups }, (_, group) => 12 + group));
        const { clusters } = await kMeansOfChosenCount(points, rule, { seed: 1, product });
        expect(clusters).toBe(groups);
      }
    });

    it(`never makes more clusters than there are distinct points, by ${rule} (case 30)`, async () => {
      for (const distinct of [1, 2, 3]) {
        const rows = Array.from({ length: 30 }, (_, i) => [1, i % distinct, (i % distinct) ** 2]);
        const { clusters, centroids } = await kMeansOfChosenCount(unitPoints(rows), rule, { seed: 1, product });
        expect(clusters).toBeLessThanOrEqual(distinct);
        const texts = Array.from({ length: clusters }, (_, k) => centroids.subarray(k * 3, k * 3 + 3).join());
        expect(new Set(texts).size).toBe(clusters);
      }
    });
  }

  it('looks at nothing but one cluster when asked for one at most', async () => {
    const options = { seed: 1, product, least: 1, most: 1 };
    expect((await kMeansOfChosenCount(groupedPoints([9, 9]), 'elbow', options)).clusters).toBe(1);
  });

  it('rejects an empty range', async () => {
    const options = { seed: 1, product, least: 5, most: 4 };
    await expect(kMeansOfChosenCount(groupedPoints([9]), 'elbow', options)).rejects.toThrow(InvalidArgumentError);
  });
});
