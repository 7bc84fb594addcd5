import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { RankedBlock } from '../ranking.js';
import { type FusionOptions, fuseLists } from './fuseLists.js';

/** Constant and depth of reciprocal rank fusion. */
export interface ReciprocalRankOptions extends FusionOptions {
  /** 60 by default, as in the paper. */
  readonly constant?: number | undefined;
  /** Entries of each input list that count; 200 by default (PIT Discovery section 4.1). */
  readonly listDepth?: number | undefined;
}

/**
 * Reciprocal Rank Fusion (Cormack, Clarke and Buettcher 2009): score(a) = sum over lists of 1 / (constant + rank of a),
 * ranks from 1. A list that lacks `a` adds 0.
 */
export function reciprocalRankFusion(lists: readonly RankedBlock[], options: ReciprocalRankOptions): RankedBlock {
  const { constant = 60, listDepth = 200 } = options;
  if (!Number.isFinite(constant) || constant < 0) {
    throw new InvalidArgumentError({ argument: 'constant', value: constant, expected: 'a number of at least 0' });
  }
  return fuseLists(
    lists.map((list) => cutLists(list, listDepth)),
    options,
    () => (rank) => 1 / (constant + rank),
  );
}

/** The first `depth` entries of every list; arrays are shared, not copied. */
function cutLists(lists: RankedBlock, depth: number): RankedBlock {
  return { ...lists, lengths: lists.lengths.map((length) => Math.min(length, depth)) };
}
