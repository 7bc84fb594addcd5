/** What orders candidates, column by column, first what counts first. */
export interface RankingKeys {
  /** [n] descending. */
  readonly scores: Float64Array;
  /** [n] descending. */
  readonly relevances: Float64Array;
  /** [n] descending; absent: no such key. */
  readonly strengths: Float64Array | undefined;
  /** [n] ascending, distinct. */
  readonly ties: Uint32Array;
}

/** The best candidates, best first. */
export interface BestCandidates {
  readonly items: Uint32Array;
  /** Place of each by relevance, strength and tie key among all n candidates, from 1. */
  readonly relevanceRanks: Uint32Array;
  readonly belowFloor: number;
}

/**
 * The best of n candidates without sorting all of them: O(n) where most are worse than the `depth` best, O(n log depth) at
 * worst. Lists are those of a full sort by the same keys.
 *
 * @param floor candidates of a lower relevance take no part; they count in `relevanceRanks`
 */
export function selectBest(keys: RankingKeys, depth: number, floor: number): BestCandidates {
  const { scores, relevances, strengths, ties } = keys;
  const isMoreRelevant = (a: number, b: number): boolean => {
    if (relevances[a]! !== relevances[b]!) return relevances[a]! > relevances[b]!;
    if (strengths !== undefined && strengths[a]! !== strengths[b]!) return strengths[a]! > strengths[b]!;
    return ties[a]! < ties[b]!;
  };
  const isBefore = (a: number, b: number): boolean =>
    scores[a]! === scores[b]! ? isMoreRelevant(a, b) : scores[a]! > scores[b]!;

  const count = scores.length;
  const heap = new WorstFirstHeap(Math.min(depth, count), isBefore);
  let belowFloor = 0;
  for (let candidate = 0; candidate < count; candidate++) {
    if (relevances[candidate]! < floor) belowFloor++;
    else heap.push(candidate);
  }
  const items = heap.drain();
  return { items, relevanceRanks: ranksAmongAll(items, count, isMoreRelevant), belowFloor };
}

/** Place of each of some candidates among all, from 1, in one pass. */
function ranksAmongAll(
  items: Uint32Array,
  count: number,
  isMoreRelevant: (a: number, b: number) => boolean,
): Uint32Array {
  const order = Array.from(items.keys()).sort((a, b) => (isMoreRelevant(items[a]!, items[b]!) ? -1 : 1));
  const ordered = Uint32Array.from(order, (at) => items[at]!);
  // [items] candidates that come after the one before in `ordered`, and before this one.
  const between = new Uint32Array(items.length);
  for (let candidate = 0; candidate < count; candidate++) {
    let at = items.length;
    while (at > 0 && isMoreRelevant(candidate, ordered[at - 1]!)) at--;
    if (at < items.length) between[at]!++;
  }
  const ranks = new Uint32Array(items.length);
  let rank = 1;
  for (const [at, place] of order.entries()) {
    rank += between[at]!;
    ranks[place] = rank;
  }
  return ranks;
}

/** Keeps the first `capacity` of what is pushed, by an order; the last of them is on top. */
class WorstFirstHeap {
  readonly #items: Uint32Array;
  readonly #isBefore: (a: number, b: number) => boolean;
  #size = 0;

  constructor(capacity: number, isBefore: (a: number, b: number) => boolean) {
    this.#items = new Uint32Array(capacity);
    this.#isBefore = isBefore;
  }

  push(item: number): void {
    const items = this.#items;
    if (this.#size === items.length) {
      if (items.length > 0 && this.#isBefore(item, items[0]!)) this.#sink(item, this.#size);
      return;
    }
    let hole = this.#size++;
    while (hole > 0) {
      const parent = (hole - 1) >>> 1;
      if (!this.#isBefore(items[parent]!, item)) break;
      items[hole] = items[parent]!;
      hole = parent;
    }
    items[hole] = item;
  }

  /** Empties the heap; first comes first. */
  drain(): Uint32Array {
    const sorted = new Uint32Array(this.#size);
    for (let end = this.#size - 1; end >= 0; end--) {
      sorted[end] = this.#items[0]!;
      this.#sink(this.#items[end]!, end);
    }
    this.#size = 0;
    return sorted;
  }

  /** Puts an item in the place of the top of a heap of `size` items. */
  #sink(item: number, size: number): void {
    const items = this.#items;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#isBefore(items[child]!, items[child + 1]!)) child++;
      if (!this.#isBefore(item, items[child]!)) break;
      items[hole] = items[child]!;
      hole = child;
    }
    if (size > 0) items[hole] = item;
  }
}
