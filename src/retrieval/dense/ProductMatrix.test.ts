import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileKernel } from '../../kernels/testing/compileKernel.js';
import { innerProduct } from './cosine.js';
import { ProductMatrix } from './ProductMatrix.js';
import { productsModule } from './productsModule.js';

const finite = fc.float({ noNaN: true, noDefaultInfinity: true });

describe('ProductMatrix', () => {
  it('gives the inner product of every row, to the bit, for any number of rows and columns', () => {
    const matrices = fc
      .record({ rows: fc.nat({ max: 40 }), dimension: fc.integer({ min: 1, max: 33 }) })
      .chain(({ rows, dimension }) =>
        fc.record({
          dimension: fc.constant(dimension),
          values: fc.array(finite, { minLength: rows * dimension, maxLength: rows * dimension }),
          vector: fc.array(finite, { minLength: dimension, maxLength: dimension }),
        }),
      );
    fc.assert(
      fc.property(matrices, ({ dimension, values, vector }) => {
        const matrix = Float32Array.from(values);
        const query = Float32Array.from(vector);
        const products = new Float64Array(values.length / dimension);
        new ProductMatrix(matrix, dimension).fill(query, products);
        for (let row = 0; row < products.length; row++) {
          expect(products[row]).toBe(innerProduct(query, 0, matrix, row * dimension, dimension));
        }
      }),
    );
  });

  it('keeps its values when vector after vector is multiplied', () => {
    const matrix = new ProductMatrix(Float32Array.of(1, 2, 3, 4), 2);
    const products = new Float64Array(2);
    matrix.fill(Float32Array.of(1, 0), products);
    expect([...products]).toEqual([1, 3]);
    matrix.fill(Float32Array.of(0, 1), products);
    expect([...products]).toEqual([2, 4]);
  });

  it('knows what a kernel cannot address', () => {
    expect(ProductMatrix.fits(2_000_000, 384)).toBe(true);
    expect(ProductMatrix.fits(2_900_000, 384)).toBe(false);
  });

  it('runs products.wat, compiled', async () => {
    expect(productsModule, 'run `npm run build:kernels`').toBe(
      await compileKernel(new URL('./products.wat', import.meta.url)),
    );
  });
});
