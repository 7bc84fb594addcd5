import { scaleRowsToUnitLength } from '../../embedding/unitRows.js';
import { newRankedBlock, type RankedBlock, TopSelector } from '../ranking.js';
import { cosineOf, innerProduct } from './cosine.js';
import type { DenseRows, DenseSearchOptions } from './DenseIndex.js';

/**
 * Exact search without a native kernel: every row of the snapshot is scored in double precision. The slow twin of
 * `DenseIndex.search`, equal to it to the last bit.
 */
export function plainSearch(rows: DenseRows, queries: Float32Array, options: DenseSearchOptions): RankedBlock {
  const { dimension, present, idOrder } = rows;
  const matrix = Float32Array.from(rows.matrix);
  const unitQueries = Float32Array.from(queries);
  const { norms } = scaleRowsToUnitLength(matrix, dimension);
  const { norms: queryNorms } = scaleRowsToUnitLength(unitQueries, dimension);
  const result = newRankedBlock(queryNorms.length, options.depth);
  const selector = new TopSelector(options.depth);
  for (const [query, queryNorm] of queryNorms.entries()) {
    for (let row = 0; row < (options.rows ?? present.length); row++) {
      if (!present[row] || norms[row] === 0 || queryNorm === 0 || options.eligible?.[row] === 0) continue;
      const product = innerProduct(unitQueries, query * dimension, matrix, row * dimension, dimension);
      selector.push(row, cosineOf(product, queryNorm, norms[row]!), idOrder[row]!);
    }
    result.lengths[query] = selector.drain(result.rows, result.scores, query * options.depth);
  }
  return result;
}
