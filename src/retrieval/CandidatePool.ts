import { BucketSelector } from './BucketSelector.js';

const buckets = 4096;
/** A little below 1: keeps the edge of a bucket under every score in it, whatever the rounding of the division. */
const edgeSlack = 1 - 1e-12;

/**
 * Collects scored rows of one query and keeps a threshold that the final list is known to reach: a histogram of the
 * scores counted from above says in which bucket the depth-th best so far lies. Unlike a heap it costs a few steps an
 * offer, and the threshold is current after each. Rows under it are dropped; the few left over are sorted at the end.
 */
export class CandidatePool {
  readonly #depth: number;
  readonly #histogram = new Uint32Array(buckets + 1);
  #largestScore = 1;
  #bucketsPerScore = 1;
  /** The bucket that holds the depth-th best score, or 0. */
  #lowestBucket = 0;
  /** Offers kept in the lowest bucket and above. */
  #countFromLowest = 0;
  #rows = new Uint32Array(1024);
  #scores = new Float64Array(1024);
  #size = 0;
  readonly #selector = new BucketSelector();

  constructor(depth: number) {
    this.#depth = depth;
  }

  /** Forgets the last query and starts one whose scores are in (0, largestScore]. */
  start(largestScore: number): void {
    this.#histogram.fill(0);
    this.#largestScore = largestScore;
    this.#bucketsPerScore = buckets / largestScore;
    this.#lowestBucket = 0;
    this.#countFromLowest = 0;
    this.#size = 0;
  }

  /** At least `depth` rows offered so far score this or more; 0 before there are that many. */
  get threshold(): number {
    return this.#lowestBucket === 0 ? 0 : (this.#lowestBucket / this.#bucketsPerScore) * edgeSlack;
  }

  offer(row: number, score: number): void {
    const bucket = this.#bucketOf(score);
    if (bucket < this.#lowestBucket) return;
    if (this.#size === this.#rows.length) this.#makeRoom();
    this.#rows[this.#size] = row;
    this.#scores[this.#size++] = score;
    const histogram = this.#histogram;
    histogram[bucket] = histogram[bucket]! + 1;
    this.#countFromLowest++;
    while (this.#countFromLowest - histogram[this.#lowestBucket]! >= this.#depth) {
      this.#countFromLowest -= histogram[this.#lowestBucket++]!;
    }
  }

  /**
   * Writes the best `depth` rows, best first, into `rows` and `scores` from `start` on, and returns how many they are.
   * @param tieOrder [rows] the comparator's tie key of each row
   */
  drain(tieOrder: Uint32Array, rows: Uint32Array, scores: Float64Array, start = 0): number {
    this.#dropBelowThreshold();
    return this.#selector.select(
      this.#rows,
      this.#scores,
      this.#size,
      this.#depth,
      this.#largestScore,
      tieOrder,
      rows,
      scores,
      start,
    );
  }

  #bucketOf(score: number): number {
    return Math.min(Math.floor(score * this.#bucketsPerScore), buckets);
  }

  #makeRoom(): void {
    this.#dropBelowThreshold();
    if (2 * this.#size < this.#rows.length) return;
    const rows = new Uint32Array(2 * this.#rows.length);
    rows.set(this.#rows);
    this.#rows = rows;
    const scores = new Float64Array(2 * this.#scores.length);
    scores.set(this.#scores);
    this.#scores = scores;
  }

  #dropBelowThreshold(): void {
    let kept = 0;
    for (let at = 0; at < this.#size; at++) {
      if (this.#bucketOf(this.#scores[at]!) < this.#lowestBucket) continue;
      this.#rows[kept] = this.#rows[at]!;
      this.#scores[kept++] = this.#scores[at]!;
    }
    this.#size = kept;
  }
}
