import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import type { RankedBlock } from './ranking.js';

/** Depth of the base list that every condition of a replay receives (specification, base retrieval). */
export const baseDepth = 200;

/**
 * Something that ranks the assets of one snapshot D_t for queries: lexical, dense, hybrid. All implementations pass the
 * suite in `testing/retrieverContract.ts`.
 */
export interface Retriever {
  /** What kind of retrieval it is, for people and rows of a run, for example `bm25/plain`. */
  readonly id: string;
  /**
   * Commitment to all that its rankings depend on, except the ids of the assets: the content of the snapshot, the
   * analyzer or model, the parameters. Hexadecimal SHA-256; unchanged by assets that come after the snapshot.
   */
  readonly hash: string;
  /**
   * Ranks the snapshot for each query. List q is for `queries[q]`; a list holds corpus rows of the snapshot, each once,
   * by the one comparator (score descending, then asset id), at most `depth` of them. A list depends on its own query
   * alone. Queries that match nothing get an empty list.
   *
   * @throws InvalidArgumentError when `depth` is not a positive integer
   */
  rankBlock(queries: readonly string[], depth?: number): RankedBlock | Promise<RankedBlock>;
}

/** @throws InvalidArgumentError when `depth` is not a positive integer */
export function checkDepth(depth: number): void {
  if (!Number.isSafeInteger(depth) || depth < 1) {
    throw new InvalidArgumentError({ argument: 'depth', value: depth, expected: 'a positive integer' });
  }
}
