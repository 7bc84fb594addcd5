import { kthLargest } from './kthLargest.js';

/**
 * Rows that can still be among the best `depth` of one query, given scores known within `error` of the true ones.
 *
 * Let K be the `depth`-th best approximate score so far. The `depth` rows at or above K have true scores of at least
 * K - error, so a row that belongs to the true best has a true score of at least that, and an approximate one of at
 * least K - 2 error: everything below can go. Ties and near ties at the cut-off all stay, however many.
 */
export class CandidateList {
  readonly #depth: number;
  readonly #window: number;
  #rows: Uint32Array;
  #scores: Float32Array;
  #scratch: Float32Array;
  #count = 0;
  #threshold = Number.NEGATIVE_INFINITY;

  /** @param error bound on the distance of an approximate score from the true one */
  constructor(depth: number, error: number) {
    this.#depth = depth;
    this.#window = 2 * error;
    const capacity = 2 * depth + 256;
    this.#rows = new Uint32Array(capacity);
    this.#scores = new Float32Array(capacity);
    this.#scratch = new Float32Array(capacity);
  }

  /** Lowest approximate score that a further row needs. */
  get threshold(): number {
    return this.#threshold;
  }

  push(row: number, score: number): void {
    if (this.#count === this.#rows.length) this.#makeRoom();
    if (score < this.#threshold) return;
    this.#rows[this.#count] = row;
    this.#scores[this.#count] = score;
    this.#count++;
  }

  /** The remaining candidates, in order of arrival; empties the list for the next query. A view, valid until `push`. */
  take(): Uint32Array {
    this.#prune();
    const rows = this.#rows.subarray(0, this.#count);
    this.#count = 0;
    this.#threshold = Number.NEGATIVE_INFINITY;
    return rows;
  }

  #makeRoom(): void {
    this.#prune();
    if (this.#count <= this.#rows.length * 0.75) return;
    const capacity = this.#rows.length * 2;
    const rows = new Uint32Array(capacity);
    const scores = new Float32Array(capacity);
    rows.set(this.#rows);
    scores.set(this.#scores);
    this.#rows = rows;
    this.#scores = scores;
    this.#scratch = new Float32Array(capacity);
  }

  #prune(): void {
    if (this.#count <= this.#depth) return;
    const scratch = this.#scratch.subarray(0, this.#count);
    scratch.set(this.#scores.subarray(0, this.#count));
    this.#threshold = kthLargest(scratch, this.#depth) - this.#window;
    let kept = 0;
    for (let i = 0; i < this.#count; i++) {
      if (this.#scores[i]! < this.#threshold) continue;
      this.#rows[kept] = this.#rows[i]!;
      this.#scores[kept] = this.#scores[i]!;
      kept++;
    }
    this.#count = kept;
  }
}
