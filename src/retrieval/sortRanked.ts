import { compareRanked } from './ranking.js';

/** Entries to sort: item, score and tie key side by side. */
export interface RankedEntries {
  readonly items: Uint32Array;
  readonly scores: Float64Array;
  readonly ties: Uint32Array;
}

/** Runs of this many entries are sorted by insertion before they are merged. */
const shortRun = 12;

export function newRankedEntries(capacity: number): RankedEntries {
  return { items: new Uint32Array(capacity), scores: new Float64Array(capacity), ties: new Uint32Array(capacity) };
}

/**
 * Sorts the first `count` entries by the one comparator, best first: merge sort over typed arrays, without allocation.
 * @param spare at least `count` entries of scratch space
 * @returns whichever of the two holds the result
 */
export function sortRanked(entries: RankedEntries, count: number, spare: RankedEntries): RankedEntries {
  for (let start = 0; start < count; start += shortRun)
    sortByInsertion(entries, start, Math.min(start + shortRun, count));
  let from = entries;
  let into = spare;
  for (let width = shortRun; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      merge(from, into, start, Math.min(start + width, count), Math.min(start + 2 * width, count));
    }
    [from, into] = [into, from];
  }
  return from;
}

/** Sorts entries [start, end) by the one comparator, best first; linear where each is near its place already. */
export function sortByInsertion({ items, scores, ties }: RankedEntries, start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    const score = scores[i]!;
    if (scores[i - 1]! > score) continue;
    const item = items[i]!;
    const tie = ties[i]!;
    let hole = i;
    for (; hole > start && compareRanked(score, tie, scores[hole - 1]!, ties[hole - 1]!) < 0; hole--) {
      items[hole] = items[hole - 1]!;
      scores[hole] = scores[hole - 1]!;
      ties[hole] = ties[hole - 1]!;
    }
    items[hole] = item;
    scores[hole] = score;
    ties[hole] = tie;
  }
}

/** Merges the sorted runs [start, middle) and [middle, end). */
function merge(from: RankedEntries, into: RankedEntries, start: number, middle: number, end: number): void {
  const { items, scores, ties } = from;
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const takeLeft =
      right >= end || (left < middle && compareRanked(scores[left]!, ties[left]!, scores[right]!, ties[right]!) < 0);
    const source = takeLeft ? left++ : right++;
    into.items[at] = items[source]!;
    into.scores[at] = scores[source]!;
    into.ties[at] = ties[source]!;
  }
}
