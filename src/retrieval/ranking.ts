import { NonFiniteScoreError } from '../errors/NonFiniteScoreError.js';

/**
 * Ranked lists for a block of queries, row-major: list q occupies [q * depth, q * depth + lengths[q]) of `rows` and
 * `scores`, best first.
 */
export interface RankedBlock {
  readonly depth: number;
  /** [queries] how many entries each list holds, at most `depth`. */
  readonly lengths: Uint32Array;
  /** [queries, depth] corpus rows. */
  readonly rows: Uint32Array;
  /** [queries, depth] scores, descending within a list. */
  readonly scores: Float64Array;
}

export function newRankedBlock(queries: number, depth: number): RankedBlock {
  return {
    depth,
    lengths: new Uint32Array(queries),
    rows: new Uint32Array(queries * depth),
    scores: new Float64Array(queries * depth),
  };
}

/** Corpus rows of list `query`, best first; a view, not a copy. */
export function rankedRows(block: RankedBlock, query: number): Uint32Array {
  const start = query * block.depth;
  return block.rows.subarray(start, start + block.lengths[query]!);
}

/** Scores of list `query`; a view, not a copy. */
export function rankedScores(block: RankedBlock, query: number): Float64Array {
  const start = query * block.depth;
  return block.scores.subarray(start, start + block.lengths[query]!);
}

/**
 * The one comparator of every ranking in asof: score descending, then tie key ascending. Negative when (scoreA, tieA)
 * comes first. The tie key holds the rest of the rule in one integer: base rank ascending, then asset id ascending
 * (for base retrieval, the id order alone; for the former see `CandidateScores` in memory).
 */
export function compareRanked(scoreA: number, tieA: number, scoreB: number, tieB: number): number {
  if (scoreA !== scoreB) return scoreA > scoreB ? -1 : 1;
  return tieA - tieB;
}

/**
 * Keeps the best `capacity` of a stream of (item, score, tie key) by the one comparator, in O(log capacity) a push:
 * a binary heap with the worst kept entry on top, in typed arrays, reusable without allocation.
 *
 * Tie keys must be distinct among the items of one selection; then the result does not depend on the order of pushes.
 */
export class TopSelector {
  readonly capacity: number;
  #size = 0;
  readonly #items: Uint32Array;
  readonly #scores: Float64Array;
  readonly #ties: Uint32Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#items = new Uint32Array(capacity);
    this.#scores = new Float64Array(capacity);
    this.#ties = new Uint32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Lowest score that a further item must reach to be kept; -Infinity while there is room. */
  get threshold(): number {
    return this.#size < this.capacity ? Number.NEGATIVE_INFINITY : this.#scores[0]!;
  }

  /** @throws NonFiniteScoreError when the score is NaN or infinite */
  push(item: number, score: number, tie: number): void {
    if (score - score !== 0) throw new NonFiniteScoreError({ source: 'ranking', item: `row ${item}`, score });
    if (this.#size < this.capacity) {
      this.#siftUp(this.#size++, item, score, tie);
    } else if (this.capacity > 0 && compareRanked(score, tie, this.#scores[0]!, this.#ties[0]!) < 0) {
      this.#siftDown(this.#size, item, score, tie);
    }
  }

  /** Empties the selection into `items` and `scores` from `start` on, best first, and returns how many it wrote. */
  drain(items: Uint32Array, scores: Float64Array, start = 0): number {
    const count = this.#size;
    for (let end = count - 1; end >= 0; end--) {
      items[start + end] = this.#items[0]!;
      scores[start + end] = this.#scores[0]!;
      this.#siftDown(end, this.#items[end]!, this.#scores[end]!, this.#ties[end]!);
    }
    this.#size = 0;
    return count;
  }

  #siftUp(at: number, item: number, score: number, tie: number): void {
    let hole = at;
    while (hole > 0) {
      const parent = (hole - 1) >>> 1;
      if (compareRanked(score, tie, this.#scores[parent]!, this.#ties[parent]!) < 0) break;
      this.#move(parent, hole);
      hole = parent;
    }
    this.#set(hole, item, score, tie);
  }

  /** Puts the entry in at the top of a heap of `size` entries. */
  #siftDown(size: number, item: number, score: number, tie: number): void {
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      const sibling = child + 1;
      if (
        sibling < size &&
        compareRanked(this.#scores[child]!, this.#ties[child]!, this.#scores[sibling]!, this.#ties[sibling]!) < 0
      ) {
        child = sibling;
      }
      if (compareRanked(this.#scores[child]!, this.#ties[child]!, score, tie) < 0) break;
      this.#move(child, hole);
      hole = child;
    }
    this.#set(hole, item, score, tie);
  }

  #move(from: number, to: number): void {
    this.#items[to] = this.#items[from]!;
    this.#scores[to] = this.#scores[from]!;
    this.#ties[to] = this.#ties[from]!;
  }

  #set(at: number, item: number, score: number, tie: number): void {
    this.#items[at] = item;
    this.#scores[at] = score;
    this.#ties[at] = tie;
  }
}
