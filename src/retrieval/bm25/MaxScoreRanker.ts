import type { CandidatePool } from '../CandidatePool.js';
import type { CollectionStatistics } from './CollectionStatistics.js';
import { inverseDocumentFrequency, lengthNorm, saturation } from './formula.js';
import type { IndexSnapshot } from './IndexSnapshot.js';
import type { Bm25Parameters } from './parameters.js';
import { type QueryTerm, queryTerms } from './queryTerms.js';
import {
  accumulate,
  accumulateTouching,
  collectCandidates,
  largestBlock,
  lookUp,
  offerCandidates,
  type QueryList,
} from './rowBlock.js';

/**
 * Bounds and partial scores are sums that float64 rounds; a threshold lowered by this much more than covers the
 * difference for any query of fewer than a million terms, so that pruning never drops a row that belongs in the list.
 */
const roundingSlack = 1 - 1e-9;

export interface MaxScoreOptions {
  /** Of the collection that the snapshot is a part of; those of the snapshot alone by default. */
  readonly statistics?: CollectionStatistics | undefined;
  /** Number of the snapshot's first row in that collection; 0 by default. */
  readonly firstRow?: number | undefined;
  /** Rows scored together, at most 2,048; any number gives the same lists. */
  readonly blockRows?: number | undefined;
}

/** A query made ready for one snapshot. */
export interface PreparedQuery {
  readonly lists: QueryList[];
  /** No row of the snapshot scores more. */
  readonly bound: number;
}

/**
 * Ranks a snapshot by BM25 without scoring every document that shares a word with the query: MaxScore (Turtle and Flood
 * 1995) over blocks of rows, one block after another, a list at a time within it.
 *
 * Lists are in summing order, rarest first. While a block is scored, the threshold is what the best rows of earlier
 * blocks guarantee. The lists from the end whose bounds together stay below it are *optional*: a row found in no other
 * list cannot enter. So in each block
 * 1. the required lists are accumulated, noting which rows they touch;
 * 2. optional lists are accumulated too, up to the last that has no frequency array, for the touched rows' sake (adding
 *    is cheaper than asking);
 * 3. the lists that remain, those of stop words, are looked up for the touched rows that can still reach the threshold,
 *    and rows fall away as their hope shrinks.
 * Each row's addends are summed in the order that `formula.ts` states, so scores equal those of the plain scorer bit
 * for bit.
 */
export class MaxScoreRanker {
  readonly #snapshot: IndexSnapshot;
  readonly #parameters: Bm25Parameters;
  readonly #statistics: CollectionStatistics;
  readonly #firstRow: number;
  /** [pairs] tf / (tf + K) at this snapshot's average length. */
  readonly #saturations: Float64Array;
  /** [distinct lengths] K at this snapshot's average length. */
  readonly #norms: Float64Array;
  readonly #blockRows: number;

  constructor(snapshot: IndexSnapshot, parameters: Bm25Parameters, options: MaxScoreOptions = {}) {
    const { statistics = snapshot, firstRow = 0, blockRows = largestBlock } = options;
    const { pairFrequencies, pairLengths, distinctLengths } = snapshot.index;
    this.#snapshot = snapshot;
    this.#parameters = parameters;
    this.#statistics = statistics;
    this.#firstRow = firstRow;
    this.#blockRows = blockRows;
    this.#saturations = new Float64Array(pairFrequencies.length);
    for (let pair = 0; pair < pairFrequencies.length; pair++) {
      this.#saturations[pair] = saturation(pairFrequencies[pair]!, this.#normOf(pairLengths[pair]!));
    }
    this.#norms = new Float64Array(distinctLengths.length);
    for (let number = 0; number < distinctLengths.length; number++) {
      // At k1 = 0 a norm is 0, and an absent term would be 0 / 0; the least positive number changes no other quotient.
      this.#norms[number] = Math.max(this.#normOf(distinctLengths[number]!), Number.MIN_VALUE);
    }
  }

  /** Puts the best rows for a query into the pool; none when no live document holds any of its terms (case 23). */
  rank(tokens: readonly string[], pool: CandidatePool): void {
    const query = this.prepare(queryTerms(tokens, this.#statistics));
    pool.start(query.bound);
    this.collect(query, pool);
  }

  /** @param terms of the whole collection, in summing order */
  prepare(terms: readonly QueryTerm[]): PreparedQuery {
    const lists = this.#queryLists(terms);
    return { lists, bound: lists[0]?.boundFromHere ?? 0 };
  }

  /**
   * Puts rows into a pool that has been started; rows that cannot enter it are left out.
   *
   * @param query good for one call
   * @param excluded [snapshot size] 1 where a row must not be returned, dead ones included; the dead ones by default
   */
  collect({ lists }: PreparedQuery, pool: CandidatePool, excluded = this.#snapshot.dead): void {
    const firstLookedUp = 1 + lists.findLastIndex((list) => list.frequencies === undefined);
    const { size } = this.#snapshot;
    let required = lists.length;
    for (let start = 0; start < size; start = this.#nextRow(lists, required)) {
      const threshold = pool.threshold * roundingSlack;
      while (required > 0 && lists[required - 1]!.boundFromHere < threshold) required--;
      const accumulated = Math.max(required, firstLookedUp);
      const end = Math.min(start + this.#blockRows, size);
      this.#rankBlock(lists, required, accumulated, start, end, threshold, pool, excluded);
    }
  }

  #queryLists(terms: readonly QueryTerm[]): QueryList[] {
    const { index } = this.#snapshot;
    const { documentCount } = this.#statistics;
    const lists: QueryList[] = [];
    let boundFromHere = 0;
    for (let at = terms.length - 1; at >= 0; at--) {
      const { token, count, documentFrequency } = terms[at]!;
      const term = index.termNumber(token);
      if (term === undefined) continue;
      const weight = count * inverseDocumentFrequency(documentCount, documentFrequency);
      const leastNorm = this.#normOf(index.shortestLengths[term]!);
      boundFromHere += weight * saturation(index.largestFrequencies[term]!, leastNorm);
      lists.push({
        term,
        weight,
        boundFromHere,
        frequencies: index.frequentTerms.get(term),
        position: index.offsets[term]!,
        end: this.#snapshot.postingsEnd(term),
      });
    }
    return lists.reverse();
  }

  /** Scores rows [start, end); lists [0, required) are required, lists [0, accumulated) accumulated, the rest looked up. */
  #rankBlock(
    lists: readonly QueryList[],
    required: number,
    accumulated: number,
    start: number,
    end: number,
    threshold: number,
    pool: CandidatePool,
    excluded: Uint8Array | undefined,
  ): void {
    const { index } = this.#snapshot;
    let touched = 0;
    for (let at = 0; at < required; at++) {
      touched = accumulateTouching(lists[at]!, index.postings, this.#saturations, start, end);
    }
    if (touched === 0) return;
    for (let at = required; at < accumulated; at++) {
      accumulate(lists[at]!, index.postings, this.#saturations, start, end);
    }
    const hope = (next: number) => (next < lists.length ? lists[next]!.boundFromHere : 0);
    let count = collectCandidates(start, threshold - hope(accumulated), index.lengthNumbers, this.#norms, excluded);
    for (let at = accumulated; at < lists.length && count > 0; at++) {
      count = lookUp(lists[at]!, index, count, threshold - hope(at + 1));
    }
    offerCandidates(count, pool, this.#firstRow);
  }

  /** The first row not yet scored that a required list holds; with only short lists left, most rows are stepped over. */
  #nextRow(lists: readonly QueryList[], required: number): number {
    const { index, size } = this.#snapshot;
    let next = size;
    for (let at = 0; at < required; at++) {
      const { position, end } = lists[at]!;
      if (position < end) next = Math.min(next, index.postings[2 * position]!);
    }
    return next;
  }

  #normOf(length: number): number {
    return lengthNorm(length, this.#statistics.averageLength, this.#parameters);
  }
}
