import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clusterMeans } from './clusterMeans.js';

const nan = Number.NaN;

describe('cluster means', () => {
  it('average the observations that define a column, and say how many clusters and observations do', () => {
    const sample = {
      clusterOf: Uint32Array.of(2, 0, 2, 0, 4),
      clusters: 6,
      columns: [Float64Array.of(1, 5, 3, nan, nan), Float64Array.of(0, 0, 0, 2, 7)],
    };
    expect(clusterMeans(sample)).toEqual([
      { means: Float64Array.of(5, 2, nan), clusters: 2, observations: 3 },
      { means: Float64Array.of(1, 0, 7), clusters: 3, observations: 5 },
    ]);
  });

  it('do not depend on the order of the observations, to the last bit', () => {
    const observations = fc.array(
      fc.record({ cluster: fc.nat(5), value: fc.double({ noNaN: true, min: -1e6, max: 1e6 }) }),
      { minLength: 1, maxLength: 40 },
    );
    const meansOf = (rows: readonly { cluster: number; value: number }[]) =>
      clusterMeans({
        clusterOf: Uint32Array.from(rows, ({ cluster }) => cluster),
        clusters: 6,
        columns: [Float64Array.from(rows, ({ value }) => value)],
      });
    fc.assert(
      fc.property(
        observations.chain((rows) =>
          fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length })),
        ),
        ([rows, shuffled]) => {
          expect(meansOf(shuffled)).toEqual(meansOf(rows));
        },
      ),
    );
  });

  it('of equal values are that value, without rounding', () => {
    expect((0.1 + 0.1 + 0.1) / 3).not.toBe(0.1);
    const sample = { clusterOf: Uint32Array.of(0, 0, 0), clusters: 1, columns: [Float64Array.of(0.1, 0.1, 0.1)] };
    expect(clusterMeans(sample)[0]!.means[0]).toBe(0.1);
  });

  it('of no observation are none', () => {
    const empty = { clusterOf: new Uint32Array(0), clusters: 3, columns: [new Float64Array(0)] };
    expect(clusterMeans(empty)).toEqual([{ means: new Float64Array(0), clusters: 0, observations: 0 }]);
  });

  it('refuse a cluster out of range, a column of another length and an infinite value, each by its place', () => {
    const sample = { clusterOf: Uint32Array.of(0, 1), clusters: 2, columns: [Float64Array.of(1, 2)] };
    expect(() => clusterMeans({ ...sample, clusters: 1 })).toThrow('clusterOf[1]: got 1');
    expect(() => clusterMeans({ ...sample, columns: [new Float64Array(3)] })).toThrow('columns[0].length: got 3');
    const infinite = Float64Array.of(1, Number.NEGATIVE_INFINITY);
    expect(() => clusterMeans({ ...sample, columns: [infinite] })).toThrow('columns[0][1]: got -Infinity');
  });
});
