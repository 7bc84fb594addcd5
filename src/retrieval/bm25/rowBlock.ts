/**
 * The working memory of one block of rows, and the loops over it: where nearly all of the time of a ranking goes.
 *
 * It belongs to the module, not to a ranker. The engine then knows the arrays' addresses when it compiles the loops, which
 * makes them half as long; and a thread ranks one query at a time, so there is nothing to share. Between blocks, all
 * scores and marks are 0.
 */
import type { CandidatePool } from '../CandidatePool.js';
import { saturation } from './formula.js';
import { firstPostingFrom, frequencyCap, frequencyOf, type InvertedIndex } from './InvertedIndex.js';

/** Most rows in a block: their scores (16 KiB) stay in the first-level cache. */
export const largestBlock = 2048;

/** A postings list in the service of one query. */
export interface QueryList {
  readonly term: number;
  /** count * idf: what a saturation of 1 adds to a score. */
  readonly weight: number;
  /** At least the sum of what this list and those after it can add to a score. */
  readonly boundFromHere: number;
  /** [size] frequency by row, where the term is frequent enough to have it. */
  readonly frequencies: Uint8Array | undefined;
  /** First posting not yet read. */
  position: number;
  /** End of the postings inside the snapshot. */
  readonly end: number;
}

/** [block] scores so far. */
const scores = new Float64Array(largestBlock);
/** [block] 1 where a required list has touched the row. */
const isTouched = new Uint8Array(largestBlock);
/** Touched rows, counted from the block's first; one more place for a write that is not kept. */
const touched = new Uint32Array(largestBlock + 1);
let touchedCount = 0;
/** Touched rows that may enter the list, their scores so far and their length norms K(d). */
const candidateRows = new Uint32Array(largestBlock);
const candidateScores = new Float64Array(largestBlock);
const candidateNorms = new Float64Array(largestBlock);

/**
 * Adds a required list to the scores of rows [start, end) and notes the rows that it is the first to touch.
 *
 * @param saturations [pairs] tf / (tf + K)
 * @returns how many rows have been touched in this block
 */
export function accumulateTouching(
  list: QueryList,
  postings: Uint32Array,
  saturations: Float64Array,
  start: number,
  end: number,
): number {
  const { weight, end: listEnd } = list;
  let count = touchedCount;
  let position = list.position;
  for (; position < listEnd; position++) {
    const row = postings[2 * position]!;
    if (row >= end) break;
    const place = row - start;
    // Written always, counted when new: a branch would be mispredicted on every other posting.
    touched[count] = place;
    count += 1 - isTouched[place]!;
    isTouched[place] = 1;
    scores[place] = scores[place]! + weight * saturations[postings[2 * position + 1]!]!;
  }
  list.position = position;
  touchedCount = count;
  return count;
}

/** Adds an optional list to the scores of rows [start, end); what it adds to rows not touched is never looked at. */
export function accumulate(
  list: QueryList,
  postings: Uint32Array,
  saturations: Float64Array,
  start: number,
  end: number,
): void {
  const { weight, end: listEnd } = list;
  let { position } = list;
  if (position < listEnd && postings[2 * position]! < start) {
    position = firstPostingFrom(postings, start, position, listEnd);
  }
  for (; position < listEnd; position++) {
    const row = postings[2 * position]!;
    if (row >= end) break;
    const place = row - start;
    scores[place] = scores[place]! + weight * saturations[postings[2 * position + 1]!]!;
  }
  list.position = position;
}

/**
 * Makes candidates of the touched rows that are not excluded and score at least `lowest`, and clears the block.
 *
 * @param norms [distinct lengths] K(d), above 0
 * @returns the number of candidates
 */
export function collectCandidates(
  start: number,
  lowest: number,
  lengthNumbers: Uint32Array,
  norms: Float64Array,
  excluded: Uint8Array | undefined,
): number {
  let count = 0;
  for (let at = 0; at < touchedCount; at++) {
    const place = touched[at]!;
    isTouched[place] = 0;
    const score = scores[place]!;
    if (score < lowest) continue;
    const row = start + place;
    if (excluded !== undefined && excluded[row] !== 0) continue;
    candidateRows[count] = row;
    candidateScores[count] = score;
    candidateNorms[count++] = norms[lengthNumbers[row]!]!;
  }
  touchedCount = 0;
  scores.fill(0);
  return count;
}

/**
 * Adds a frequent term to the scores of the candidates and keeps those that reach `lowest`.
 *
 * @returns the number of candidates kept
 */
export function lookUp(list: QueryList, index: InvertedIndex, count: number, lowest: number): number {
  const { term, weight } = list;
  const frequencies = list.frequencies!;
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const row = candidateRows[at]!;
    const norm = candidateNorms[at]!;
    let frequency = frequencies[row]!;
    if (frequency === frequencyCap) frequency = frequencyOf(index, term, row);
    const score = candidateScores[at]! + weight * saturation(frequency, norm);
    if (score < lowest) continue;
    candidateRows[kept] = row;
    candidateScores[kept] = score;
    candidateNorms[kept++] = norm;
  }
  return kept;
}

/**
 * Hands the candidates, their scores now complete, to the pool.
 *
 * @param firstRow what the pool calls row 0
 */
export function offerCandidates(count: number, pool: CandidatePool, firstRow: number): void {
  for (let at = 0; at < count; at++) pool.offer(firstRow + candidateRows[at]!, candidateScores[at]!);
}
