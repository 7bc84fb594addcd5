import { newRankedBlock, type RankedBlock, rankedRows, rankedScores, TopSelector } from '../ranking.js';
import type { DenseIndex } from './DenseIndex.js';

/** A prefix of one of several indexes that are searched as one. */
export interface DensePart {
  readonly index: DenseIndex;
  /** Rows of the prefix. */
  readonly rows: number;
  /** Number of its first row in the whole. */
  readonly firstRow: number;
  /** [rows] 0 where a row must not be returned; all may be by default. */
  readonly eligible?: Uint8Array | undefined;
}

/**
 * Exact nearest neighbours over several indexes, as if they were one: a row's cosine depends on the row and the query alone.
 *
 * @param query [dimension]
 * @param depth entries of the list at most
 * @param idOrder [rows of the whole] tie key of each row; distinct among eligible rows, and ordered within each part as the
 * part's own index orders them
 * @returns one list, of rows of the whole
 */
export async function searchDenseParts(
  parts: readonly DensePart[],
  query: Float32Array,
  depth: number,
  idOrder: Uint32Array,
): Promise<RankedBlock> {
  const total = parts.reduce((sum, { rows }) => sum + rows, 0);
  const capacity = Math.min(depth, Math.max(1, total));
  const selector = new TopSelector(capacity);
  for (const { index, rows, firstRow, eligible } of parts) {
    if (rows === 0) continue;
    const list = await index.search(query, { depth: Math.min(capacity, rows), rows, eligible });
    const scores = rankedScores(list, 0);
    for (const [at, row] of rankedRows(list, 0).entries()) {
      selector.push(firstRow + row, scores[at]!, idOrder[firstRow + row]!);
    }
  }
  const block = newRankedBlock(1, capacity);
  block.lengths[0] = selector.drain(block.rows, block.scores);
  return block;
}
