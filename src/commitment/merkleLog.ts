import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { HashColumn } from './HashColumn.js';
import type { ConsistencyProof, InclusionProof } from './merkleProof.js';
import { foldPerfectSubtrees, type LogCommitment, leafHash, nodeHash } from './merkleTree.js';

/**
 * The Merkle tree of an append-only log (RFC 9162 section 2.1) with every node of every perfect subtree kept, so that
 * any past size can be committed to and proved: inclusion of a leaf (section 2.1.3.1), and consistency of two sizes
 * (section 2.1.4.1), which is the proof that one log is a prefix of the other.
 *
 * The tree at size n is made of perfect subtrees that never change once full, so one store serves all sizes. Appending
 * costs O(log n) hashes at worst and fewer than two on average; a proof costs O(log n) look-ups and hashes; memory is
 * about 64 bytes a leaf.
 */
export class MerkleLog {
  /** Level k holds, in order, the roots of the perfect subtrees over leaves [i * 2^k, (i + 1) * 2^k). */
  #levels: HashColumn[] = [new HashColumn()];

  /** A log whose leaf hashes are the 32-byte groups of `hashes`, as `leafHashes` gives them. */
  static fromLeafHashes(hashes: Uint8Array): MerkleLog {
    if (hashes.length % 32 !== 0) {
      throw new InvalidArgumentError({
        argument: 'hashes.length',
        value: hashes.length,
        expected: 'a multiple of 32 bytes',
      });
    }
    const log = new MerkleLog();
    for (let at = 0; at < hashes.length; at += 32) log.appendLeafHash(hashes.subarray(at, at + 32));
    return log;
  }

  /**
   * A log of its own with the first `size` entries, to go on from there; costs a copy of at most 32 KiB a level.
   * @throws InvalidArgumentError when the log was never that large
   */
  prefix(size: number): MerkleLog {
    this.#checkSize('size', size);
    const log = new MerkleLog();
    log.#levels = this.#levels.map((column, level) => column.prefix(Math.floor(size / 2 ** level)));
    return log;
  }

  get size(): number {
    return this.#levels[0]!.length;
  }

  append(entry: string | Uint8Array): void {
    this.appendLeafHash(leafHash(entry));
  }

  /** @param hash 32 bytes; copied */
  appendLeafHash(hash: Uint8Array): void {
    let node = hash;
    for (let level = 0; ; level++) {
      if (level === this.#levels.length) this.#levels.push(new HashColumn());
      const column = this.#levels[level]!;
      column.push(node);
      if (column.length % 2 === 1) return;
      node = nodeHash(column.at(column.length - 2), column.at(column.length - 1));
    }
  }

  /** Leaf hashes in order, 32 bytes each: enough to restore the log with `fromLeafHashes`. */
  leafHashes(): Buffer {
    const leaves = this.#levels[0]!;
    return Buffer.concat(Array.from({ length: leaves.length }, (_, index) => leaves.at(index)));
  }

  /**
   * Root over the first `size` leaves.
   * @throws InvalidArgumentError when the log was never that large
   */
  root(size: number = this.size): Buffer {
    this.#checkSize('size', size);
    return this.#rangeRoot(0, size);
  }

  /** What the log was at `size` leaves. */
  commitment(size: number = this.size): LogCommitment {
    return { size, root: this.root(size).toString('hex') };
  }

  /**
   * PATH(index, D_size) of RFC 9162 section 2.1.3.1: the proof that leaf `index` is in the log of `size` leaves.
   * @throws InvalidArgumentError unless 0 <= index < size <= the log's size
   */
  inclusionProof(index: number, size: number = this.size): InclusionProof {
    this.#checkSize('size', size);
    if (!Number.isInteger(index) || index < 0 || index >= size) {
      throw new InvalidArgumentError({ argument: 'index', value: index, expected: `an integer in 0..${size - 1}` });
    }
    const path: Buffer[] = [];
    let start = 0;
    let end = size;
    while (end - start > 1) {
      const middle = start + splitSize(end - start);
      if (index < middle) {
        path.push(this.#rangeRoot(middle, end));
        end = middle;
      } else {
        path.push(this.#rangeRoot(start, middle));
        start = middle;
      }
    }
    return { index, size, path: hexFromTheLeaf(path) };
  }

  /**
   * PROOF(first, D_second) of RFC 9162 section 2.1.4.1: the proof that the log of `first` leaves is a prefix of the log
   * of `second`. Equal sizes, and `first` = 0 (the empty log is a prefix of every log), need no hashes.
   * @throws InvalidArgumentError unless 0 <= first <= second <= the log's size
   */
  consistencyProof(first: number, second: number = this.size): ConsistencyProof {
    this.#checkSize('second', second);
    if (!Number.isInteger(first) || first < 0 || first > second) {
      throw new InvalidArgumentError({ argument: 'first', value: first, expected: `an integer in 0..${second}` });
    }
    if (first === 0 || first === second) return { first, second, path: [] };
    const path: Buffer[] = [];
    let start = 0;
    let end = second;
    while (first !== end) {
      const middle = start + splitSize(end - start);
      if (first <= middle) {
        path.push(this.#rangeRoot(middle, end));
        end = middle;
      } else {
        path.push(this.#rangeRoot(start, middle));
        start = middle;
      }
    }
    // SUBPROOF(m, D_m, b): the subtree that ends at `first` is named only when it is not the whole first tree.
    if (start > 0) path.push(this.#rangeRoot(start, end));
    return { first, second, path: hexFromTheLeaf(path) };
  }

  /** MTH(D[start:end]), where `start` is a multiple of the largest power of two that is at most end - start. */
  #rangeRoot(start: number, end: number): Buffer {
    const roots: Buffer[] = [];
    let at = start;
    while (at < end) {
      const level = 31 - Math.clz32(end - at);
      roots.push(this.#levels[level]!.at(at / 2 ** level));
      at += 2 ** level;
    }
    return foldPerfectSubtrees(roots);
  }

  #checkSize(argument: string, size: number): void {
    if (!Number.isInteger(size) || size < 0 || size > this.size) {
      throw new InvalidArgumentError({ argument, value: size, expected: `an integer in 0..${this.size}` });
    }
  }
}

/** Size of the left subtree over `count` > 1 leaves: the largest power of two below `count` (RFC 9162 section 2.1.1). */
function splitSize(count: number): number {
  return 2 ** (31 - Math.clz32(count - 1));
}

/** Proofs list their hashes from the leaf upwards; the walks above meet them from the root down. */
function hexFromTheLeaf(path: readonly Buffer[]): string[] {
  return path.toReversed().map((hash) => hash.toString('hex'));
}
