import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { hdbscan } from './hdbscan.js';
import { coreDistances, minimumSpanningTree } from './mutualReachability.js';

interface Fixture {
  readonly cases: readonly {
    readonly dimension: number;
    readonly minimumClusterSize: number;
    readonly minimumSamples: number;
    readonly points: readonly number[];
    readonly labels: readonly number[];
  }[];
}

const fixture = JSON.parse(
  readFileSync(new URL('../testing/hdbscan.fixture.json', import.meta.url), 'utf8'),
) as Fixture;

function pointsOf(values: readonly number[], dimension: number) {
  return { matrix: Float32Array.from(values), count: values.length / dimension, dimension };
}

/** Labels renamed by first appearance, so that two numberings of one clustering are equal. */
function canonical(labels: ArrayLike<number>): number[] {
  const names = new Map<number, number>([[-1, -1]]);
  return Array.from(labels, (label) => {
    if (!names.has(label)) names.set(label, names.size - 1);
    return names.get(label)!;
  });
}

describe('hdbscan', () => {
  it('finds the clusters that scikit-learn finds; a point tied between two is noise here', () => {
    for (const { dimension, points, labels: theirs, ...options } of fixture.cases) {
      const { clusters, labels } = hdbscan(pointsOf(points, dimension), options);
      const undecided = labels.map((label, point) => (label < 0 && theirs[point]! >= 0 ? 1 : 0));
      const agreed = Array.from(theirs, (label, point) => (undecided[point] === 1 ? -1 : label));
      expect(clusters).toBe(Math.max(-1, ...theirs) + 1);
      expect(canonical(labels)).toEqual(canonical(agreed));
      expect(undecided.reduce((sum, flag) => sum + flag, 0)).toBeLessThanOrEqual(2);
    }
  });

  it('does not depend on the order of the points', () => {
    const cloud = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 })), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(cloud, fc.integer({ min: 2, max: 4 }), (rows, minimumClusterSize) => {
        const { labels } = hdbscan(pointsOf(rows.flat(), 2), { minimumClusterSize });
        const reversed = hdbscan(pointsOf(rows.toReversed().flat(), 2), { minimumClusterSize }).labels;
        expect(canonical(reversed.toReversed())).toEqual(canonical(labels));
      }),
    );
  });

  it('takes copies of a point together, whatever their number, without infinite densities', () => {
    const copies = (x: number, y: number, times: number) => Array.from({ length: times }, () => [x, y]).flat();
    const values = [...copies(0, 0, 20), ...copies(5, 5, 8), ...copies(-3, 7, 2)];
    const { clusters, labels } = hdbscan(pointsOf(values, 2));
    expect(clusters).toBe(2);
    expect([...labels]).toEqual([...Array(20).fill(0), ...Array(8).fill(1), -1, -1]);
  });

  it('calls everything noise where nothing splits: too few points, one point, none, all equal', () => {
    for (const values of [[], [1, 1], [0, 0, 1, 1, 2, 2], Array(24).fill(3)]) {
      const { clusters, labels } = hdbscan(pointsOf(values, 2));
      expect(clusters).toBe(0);
      expect([...labels]).toEqual(Array(values.length / 2).fill(-1));
    }
  });

  it('gives each cluster at least the least size, and every label a cluster', () => {
    const cloud = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), { maxLength: 60 });
    fc.assert(
      fc.property(cloud, fc.integer({ min: 2, max: 6 }), (rows, minimumClusterSize) => {
        const { clusters, labels } = hdbscan(pointsOf(rows.flat(), 2), { minimumClusterSize });
        for (let cluster = 0; cluster < clusters; cluster++) {
          expect(labels.filter((label) => label === cluster).length).toBeGreaterThanOrEqual(minimumClusterSize);
        }
        expect(Math.max(-1, ...labels)).toBe(clusters - 1);
      }),
    );
  });

  it('rejects sizes that make no sense', () => {
    const points = pointsOf([0, 0, 1, 1], 2);
    expect(() => hdbscan(points, { minimumClusterSize: 1 })).toThrow(InvalidArgumentError);
    expect(() => hdbscan(points, { minimumSamples: 0 })).toThrow(InvalidArgumentError);
  });
});

describe('minimumSpanningTree', () => {
  it('weighs what the lightest of all trees weighs, as found by joining the lightest edges', () => {
    const cloud = fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 99 })), {
      minLength: 2,
      maxLength: 30,
    });
    fc.assert(
      fc.property(cloud, fc.integer({ min: 1, max: 5 }), (rows, neighbours) => {
        const points = pointsOf(rows.flat(), 2);
        const cores = coreDistances(points, neighbours);
        const weight = minimumSpanningTree(points, cores).reduce((sum, { distance }) => sum + distance, 0);
        const edges: { a: number; b: number; distance: number }[] = [];
        for (let a = 0; a < rows.length; a++) {
          for (let b = 0; b < a; b++) {
            const distance = Math.hypot(rows[a]![0] - rows[b]![0], rows[a]![1] - rows[b]![1]);
            edges.push({ a, b, distance: Math.max(distance, cores[a]!, cores[b]!) });
          }
        }
        const group = rows.map((_, row) => row);
        let lightest = 0;
        for (const { a, b, distance } of edges.sort((x, y) => x.distance - y.distance)) {
          const [from, to] = [group[a]!, group[b]!];
          if (from === to) continue;
          lightest += distance;
          for (const [row, own] of group.entries()) if (own === from) group[row] = to;
        }
        expect(weight).toBeCloseTo(lightest, 8);
      }),
    );
  });
});
