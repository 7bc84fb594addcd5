import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../commitment/sha256.js';
import { littleEndianBytes } from '../../commitment/typedArrayBytes.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { compileKernel } from '../../kernels/testing/compileKernel.js';
import { RandomSource } from '../../random/RandomSource.js';
import { resampleModule } from './resampleModule.js';
import { resampleSums } from './resampleSums.js';
import { slowResamples, Xoshiro128Plus } from './testing/slowResample.js';

function randomColumns(columns: number, rows: number, seed: number): Float64Array[] {
  const random = new RandomSource(seed, 'test');
  return Array.from({ length: columns }, () => Float64Array.from({ length: rows }, () => random.unit() - 0.5));
}

function slowSums(columns: readonly Float64Array[], options: { resamples: number; seed: number; purpose: string }) {
  const resamples = slowResamples(columns[0]!.length, options);
  return columns.map((values) => resamples.map((draws) => draws.reduce((sum, row) => sum + values[row]!, 0)));
}

const sizes = { columns: fc.integer({ min: 1, max: 5 }), rows: fc.integer({ min: 1, max: 60 }), seed: fc.nat() };

describe('resample sums', () => {
  it('equal the twin in TypeScript to the last bit', () => {
    fc.assert(
      fc.property(fc.record({ ...sizes, resamples: fc.integer({ min: 1, max: 13 }) }), (size) => {
        const columns = randomColumns(size.columns, size.rows, size.seed);
        const options = { resamples: size.resamples, seed: size.seed, purpose: 'test/draw' };
        expect([...resampleSums(columns, options)]).toEqual(slowSums(columns, options).flat());
      }),
    );
  });

  // Of 16,000 rows, 4.6% of the random numbers are drawn again; up to 16,384 rows, a random number gives two of them.
  it.each([16_000, 16_384, 16_385, 70_000])('equal the twin at %d rows', (rows) => {
    const columns = randomColumns(1, rows, 3);
    const options = { resamples: 3, seed: 5, purpose: 'test/draw' };
    expect([...resampleSums(columns, options)]).toEqual(slowSums(columns, options).flat());
  });

  it('of a column do not depend on its companions, nor on how many resamples follow', () => {
    fc.assert(
      fc.property(fc.record(sizes), (size) => {
        const columns = randomColumns(size.columns, size.rows, size.seed);
        const options = { resamples: 10, seed: size.seed, purpose: 'test/draw' };
        const together = resampleSums(columns, options);
        for (const [column, values] of columns.entries()) {
          const own = together.subarray(column * 10, column * 10 + 10);
          expect(resampleSums([values], options)).toEqual(own.slice());
          expect(resampleSums([values], { ...options, resamples: 7 })).toEqual(own.slice(0, 7));
        }
      }),
    );
  });

  it('draw every row equally often: multiplicities pass a chi-square test', () => {
    const rows = 11;
    const resamples = 20_000;
    const identity = Array.from({ length: rows }, (_, one) =>
      Float64Array.from({ length: rows }, (_, row) => (row === one ? 1 : 0)),
    );
    const counts = resampleSums(identity, { resamples, seed: 1, purpose: 'test/draw' });
    let statistic = 0;
    let variance = 0;
    for (let row = 0; row < rows; row++) {
      const own = counts.subarray(row * resamples, (row + 1) * resamples);
      const total = own.reduce((sum, count) => sum + count, 0);
      statistic += (total - resamples) ** 2 / resamples;
      variance += own.reduce((sum, count) => sum + (count - 1) ** 2, 0) / resamples / rows;
    }
    // 10 degrees of freedom: 0.1% of true generators exceed 29.6. Var(Binomial(11, 1/11)) = 10/11.
    expect(statistic).toBeLessThan(29.6);
    expect(variance).toBeCloseTo(10 / 11, 2);
    for (let resample = 0; resample < resamples; resample++) {
      let drawn = 0;
      for (let row = 0; row < rows; row++) drawn += counts[row * resamples + resample]!;
      expect(drawn).toBe(rows);
    }
  });

  it('stay the same to the last bit from release to release', () => {
    const sums = resampleSums(randomColumns(3, 100, 1), { resamples: 50, seed: 42, purpose: 'test/draw' });
    expect(sha256Hex(littleEndianBytes(sums))).toMatchInlineSnapshot(
      `"e4b01e431dcd121e4f59fefdc6174bd26377eb1e117e1e38201caecb2b4036f3"`,
    );
  });

  it('refuse more rows and columns than the kernel can address', () => {
    const columns = new Array(64).fill(new Float64Array(2 ** 23));
    expect(() => resampleSums(columns, { resamples: 1, seed: 1, purpose: 'test' })).toThrow(InvalidArgumentError);
  });
});

describe('kernel', () => {
  it('is resample.wat, compiled', async () => {
    expect(resampleModule, 'run `npm run build:kernels`').toBe(
      await compileKernel(new URL('./resample.wat', import.meta.url)),
    );
  });

  it('has a twin whose generator gives the published numbers of xoshiro128+ from state 1, 2, 3, 4', () => {
    const generator = new Xoshiro128Plus(Uint32Array.of(1, 2, 3, 4));
    expect([1, 2, 3, 4, 5, 6].map(() => generator.next())).toEqual([
      5, 12295, 25178119, 27286542, 39879690, 1140358681,
    ]);
  });
});
