import { newRankedEntries, type RankedEntries, sortByInsertion, sortRanked } from './sortRanked.js';

const buckets = 1024;
/** Buckets of more entries than this are sorted by merging: an insertion sort would be quadratic in them. */
const shortBucket = 24;

/**
 * The best of a list of scored rows by the one comparator, in a few steps a row. A histogram of the scores, counted from
 * above, says which buckets hold the best `depth` and where the entries of each go; what is left to sort lies within
 * buckets. Scores may crowd into one bucket: then it costs a merge sort, never more.
 *
 * One instance serves any number of lists and allocates only when a list is longer than all before.
 */
export class BucketSelector {
  /** Entries by bucket; then, from the best bucket on, where the next entry of a bucket goes. */
  readonly #places = new Uint32Array(buckets + 1);
  #bucketOf = new Uint16Array(0);
  #kept = newRankedEntries(0);
  #spare = newRankedEntries(0);

  /**
   * Writes the best `depth` of the first `count` rows, best first, into `intoRows` and `intoScores` from `start` on, and
   * returns how many they are.
   * @param rows [count] each row at most once
   * @param scores [count] in [0, largestScore]
   * @param tieOrder [all rows] the comparator's tie key of each row
   */
  select(
    rows: Uint32Array,
    scores: Float64Array,
    count: number,
    depth: number,
    largestScore: number,
    tieOrder: Uint32Array,
    intoRows: Uint32Array,
    intoScores: Float64Array,
    start = 0,
  ): number {
    if (count === 0) return 0;
    this.#countBuckets(scores, count, buckets / largestScore);
    const { lowest, size, largest } = this.#placeBuckets(depth);
    this.#reserve(size);
    this.#distribute(rows, scores, count, lowest, tieOrder);
    const sorted = this.#sort(size, largest);
    const length = Math.min(size, depth);
    for (let at = 0; at < length; at++) {
      intoRows[start + at] = sorted.items[at]!;
      intoScores[start + at] = sorted.scores[at]!;
    }
    return length;
  }

  #countBuckets(scores: Float64Array, count: number, bucketsPerScore: number): void {
    if (count > this.#bucketOf.length) this.#bucketOf = new Uint16Array(2 * count);
    const places = this.#places.fill(0);
    const bucketOf = this.#bucketOf;
    for (let at = 0; at < count; at++) {
      // The product may round to just above the last bucket's edge.
      const bucket = Math.min((scores[at]! * bucketsPerScore) | 0, buckets);
      bucketOf[at] = bucket;
      places[bucket]!++;
    }
  }

  /** Turns counts into places, from the best bucket down to the one that holds the depth-th best. */
  #placeBuckets(depth: number): { lowest: number; size: number; largest: number } {
    const places = this.#places;
    let size = 0;
    let largest = 0;
    for (let bucket = buckets; ; bucket--) {
      const count = places[bucket]!;
      places[bucket] = size;
      size += count;
      if (count > largest) largest = count;
      if (size >= depth || bucket === 0) return { lowest: bucket, size, largest };
    }
  }

  #distribute(rows: Uint32Array, scores: Float64Array, count: number, lowest: number, tieOrder: Uint32Array): void {
    const { items, scores: keptScores, ties } = this.#kept;
    const bucketOf = this.#bucketOf;
    const places = this.#places;
    for (let at = 0; at < count; at++) {
      const bucket = bucketOf[at]!;
      if (bucket < lowest) continue;
      const place = places[bucket]!;
      places[bucket] = place + 1;
      const row = rows[at]!;
      items[place] = row;
      keptScores[place] = scores[at]!;
      ties[place] = tieOrder[row]!;
    }
  }

  #sort(size: number, largestBucket: number): RankedEntries {
    if (largestBucket > shortBucket) return sortRanked(this.#kept, size, this.#spare);
    sortByInsertion(this.#kept, 0, size);
    return this.#kept;
  }

  #reserve(size: number): void {
    if (size <= this.#kept.items.length) return;
    this.#kept = newRankedEntries(2 * size);
    this.#spare = newRankedEntries(2 * size);
  }
}
