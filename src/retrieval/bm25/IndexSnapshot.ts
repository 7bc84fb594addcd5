import { newSha256 } from '../../commitment/sha256.js';
import { littleEndianBytes } from '../../commitment/typedArrayBytes.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { CollectionStatistics } from './CollectionStatistics.js';
import { commitmentWords, firstPostingFrom, type InvertedIndex } from './InvertedIndex.js';

/** What a snapshot leaves out of its prefix. */
export interface SnapshotOptions {
  /**
   * [at least size] 1 where a row of the prefix is superseded or withdrawn as of t, else 0. The snapshot keeps the array:
   * it must not change afterwards. Absent: every row is live.
   */
  readonly dead?: Uint8Array;
}

/**
 * The statistics of the live rows of a prefix [0, size) of an index: exactly what an index built from those documents
 * alone would have (architecture, "a snapshot is a prefix"). Nothing of a later row enters.
 *
 * Making one costs nothing but a pass over `dead`, where given; a document frequency costs a binary search, and with
 * dead rows a pass over the list, once a term.
 */
export class IndexSnapshot implements CollectionStatistics {
  readonly index: InvertedIndex;
  readonly size: number;
  readonly dead: Uint8Array | undefined;
  /** N: live documents, empty ones included (case 28). */
  readonly documentCount: number;
  /** Terms in all live documents, repetitions included. */
  readonly totalLength: number;
  readonly #documentFrequencies = new Map<number, number>();
  #hash: string | undefined;

  /** @throws InvalidArgumentError when `size` is not a prefix of the index or `dead` does not cover it */
  constructor(index: InvertedIndex, size: number = index.size, options: SnapshotOptions = {}) {
    if (!Number.isInteger(size) || size < 0 || size > index.size) {
      throw new InvalidArgumentError({ argument: 'size', value: size, expected: `an integer in 0..${index.size}` });
    }
    const { dead } = options;
    if (dead !== undefined && dead.length < size) {
      throw new InvalidArgumentError({
        argument: 'dead',
        value: `${dead.length} entries`,
        expected: `one entry for each of ${size} rows`,
      });
    }
    this.index = index;
    this.size = size;
    let documentCount = size;
    let totalLength = index.lengthSums[size]!;
    if (dead !== undefined) {
      for (let row = 0; row < size; row++) {
        if (dead[row] === 0) continue;
        documentCount--;
        totalLength -= index.lengthSums[row + 1]! - index.lengthSums[row]!;
      }
    }
    this.documentCount = documentCount;
    this.totalLength = totalLength;
    this.dead = documentCount === size ? undefined : dead;
  }

  /** Average document length in terms; 0 when there is no document. */
  get averageLength(): number {
    return this.documentCount === 0 ? 0 : this.totalLength / this.documentCount;
  }

  /** Number of live documents that hold a term, given by its number in the index. */
  documentFrequency(term: number): number {
    let count = this.#documentFrequencies.get(term);
    if (count === undefined) {
      count = this.#countDocuments(term);
      this.#documentFrequencies.set(term, count);
    }
    return count;
  }

  documentFrequencyOf(token: string): number {
    const term = this.index.termNumber(token);
    return term === undefined ? 0 : this.documentFrequency(term);
  }

  /** End of the part of a term's postings that lies in the prefix; it starts at `index.offsets[term]`. */
  postingsEnd(term: number): number {
    const { offsets, postings } = this.index;
    const end = offsets[term + 1]!;
    return this.size === this.index.size ? end : firstPostingFrom(postings, this.size, offsets[term]!, end);
  }

  /** Hexadecimal SHA-256 over the analyzer, the content of the prefix and which of its rows are dead. */
  get hash(): string {
    this.#hash ??= this.#computeHash();
    return this.#hash;
  }

  #countDocuments(term: number): number {
    const start = this.index.offsets[term]!;
    const end = this.postingsEnd(term);
    const { dead } = this;
    if (dead === undefined) return end - start;
    const { postings } = this.index;
    let count = 0;
    for (let posting = start; posting < end; posting++) if (dead[postings[2 * posting]!] === 0) count++;
    return count;
  }

  #computeHash(): string {
    const { index, size, dead } = this;
    const start = size * commitmentWords;
    const prefix = index.commitments.subarray(start, start + commitmentWords);
    const hash = newSha256().update('index-snapshot/1\n').update(littleEndianBytes(prefix));
    if (dead !== undefined) {
      const deadRows = Uint32Array.from({ length: size }, (_, row) => row).filter((row) => dead[row] !== 0);
      hash.update(littleEndianBytes(deadRows));
    }
    return hash.digest('hex');
  }
}
