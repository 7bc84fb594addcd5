import fc from 'fast-check';

/** A ranked list of distinct corpus rows and a product of rows, some of them not in the list; corpus of 40 rows. */
export const rankedAndProduct: fc.Arbitrary<{ ranked: Uint32Array; product: Uint32Array }> = fc
  .tuple(rowsUpTo(30), rowsUpTo(12))
  .map(([ranked, product]) => ({ ranked, product: product.sort() }));

function rowsUpTo(maxLength: number): fc.Arbitrary<Uint32Array> {
  return fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength }).map((rows) => Uint32Array.from(rows));
}
