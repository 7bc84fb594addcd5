import type { Analyzer } from '../analysis/Analyzer.js';

/**
 * An inverted index over texts in row order, in compressed sparse rows: the postings of term t are numbers
 * [offsets[t], offsets[t + 1]), rows ascending, so that the postings of the first n rows are a prefix of every list.
 * It holds counts only; document frequencies and averages belong to a snapshot (`IndexSnapshot`).
 *
 * A posting does not hold its term frequency but the number of a (term frequency, document length) pair. There are few
 * distinct pairs (12,870 for the 4.3 million postings of HybridQA) and the saturation part of BM25 depends on nothing
 * else, so a snapshot computes it once a pair instead of once a posting.
 */
export interface InvertedIndex {
  readonly analyzer: Analyzer;
  /** Number of rows, empty documents included. */
  readonly size: number;
  /** [terms] the dictionary, in order of first occurrence. */
  readonly terms: readonly string[];
  /** Number of a term, or undefined when no document holds it. */
  termNumber(term: string): number | undefined;
  /** [terms + 1] start of each postings list. */
  readonly offsets: Uint32Array;
  /** [postings, 2] row and pair of each posting, side by side since they are read together. */
  readonly postings: Uint32Array;
  /** [pairs] term frequency, from 1. */
  readonly pairFrequencies: Uint32Array;
  /** [pairs] document length in terms. */
  readonly pairLengths: Uint32Array;
  /** [distinct lengths] the document lengths that occur, in terms; 0 for an empty document. */
  readonly distinctLengths: Uint32Array;
  /** [size] index of the row's length in `distinctLengths`: few lengths, so few length norms in a snapshot. */
  readonly lengthNumbers: Uint32Array;
  /** [size + 1] sum of the lengths of the rows before each row; exact, since it stays below 2^53. */
  readonly lengthSums: Float64Array;
  /** [terms] largest term frequency in the list: with `shortestLengths` it bounds what the term can add to a score. */
  readonly largestFrequencies: Uint32Array;
  /** [terms] length of the shortest document in the list. */
  readonly shortestLengths: Uint32Array;
  /**
   * Of each term in at least a quarter of the documents, its frequency by row ([size], 0 where absent), for look-ups;
   * `frequencyCap` stands for that frequency or a higher one.
   */
  readonly frequentTerms: ReadonlyMap<number, Uint8Array>;
  /**
   * [size + 1, 8] a chain of SHA-256, each as eight words: entry n commits to the analyzer and to the content of the
   * first n rows, so it stays what it was when more rows follow.
   */
  readonly commitments: Uint32Array;
}

/** Words of one entry of `commitments`. */
export const commitmentWords = 8;

/** Highest value of a `frequentTerms` array. */
export const frequencyCap = 255;

/** First posting in [low, high), a part of one list, whose row is at least `row`; `high` when there is none. */
export function firstPostingFrom(postings: Uint32Array, row: number, low: number, high: number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (postings[2 * middle]! < row) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Term frequency of a row in the postings of a term; 0 where the row is not in the list. O(log of its length). */
export function frequencyOf(index: InvertedIndex, term: number, row: number): number {
  const { offsets, postings, pairFrequencies } = index;
  const end = offsets[term + 1]!;
  const posting = firstPostingFrom(postings, row, offsets[term]!, end);
  return posting < end && postings[2 * posting] === row ? pairFrequencies[postings[2 * posting + 1]!]! : 0;
}
