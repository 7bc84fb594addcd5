import { createHash, hash } from 'node:crypto';

/** What a log was at a moment: how many leaves, and the root over them. Hexadecimal SHA-256. */
export interface LogCommitment {
  size: number;
  root: string;
}

/** A subtree whose size is a power of two. Hexadecimal SHA-256. */
export interface PerfectSubtree {
  size: number;
  hash: string;
}

const leafPrefix = Uint8Array.of(0);
/** 0x01 || left || right; one buffer for all nodes, since a node is hashed at once. */
const node = Buffer.alloc(65, 1);

/** Leaf hash of RFC 9162 section 2.1.1: SHA-256(0x00 || entry). */
export function leafHash(entry: string | Uint8Array): Buffer {
  // One call costs half of what an incremental hash does; in UTF-8, U+0000 is the byte 0x00.
  return hash('sha256', typeof entry === 'string' ? `\0${entry}` : Buffer.concat([leafPrefix, entry]), 'buffer');
}

/** Node hash of RFC 9162 section 2.1.1: SHA-256(0x01 || left || right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 33);
  return hash('sha256', node, 'buffer');
}

/**
 * Root over a run of leaves, from the roots of the perfect subtrees that it falls into, largest (leftmost) first. The
 * root of the empty tree is SHA-256 of nothing (RFC 9162 section 2.1.1).
 */
export function foldPerfectSubtrees(roots: readonly Buffer[]): Buffer {
  let hash = roots.at(-1);
  if (hash === undefined) return createHash('sha256').digest();
  for (let i = roots.length - 2; i >= 0; i--) hash = nodeHash(roots[i]!, hash);
  return hash;
}

/**
 * The Merkle tree of an append-only log (RFC 9162 section 2.1), kept as its right edge: the roots of the perfect
 * subtrees, largest first. Appending costs O(log n) hashes at worst and O(1) on average; memory is O(log n).
 * `MerkleLog` keeps every node and gives proofs.
 */
export class MerkleAccumulator {
  /** Perfect subtrees, largest first; sizes are the powers of two of the binary form of `size`. */
  readonly #edge: { size: number; hash: Buffer }[] = [];
  #size = 0;

  /** The accumulator that gave these `subtrees()`. */
  static resume(subtrees: readonly PerfectSubtree[]): MerkleAccumulator {
    const tree = new MerkleAccumulator();
    for (const { size, hash } of subtrees) {
      tree.#edge.push({ size, hash: Buffer.from(hash, 'hex') });
      tree.#size += size;
    }
    return tree;
  }

  /** The right edge, largest first: all that is needed to go on appending. */
  subtrees(): PerfectSubtree[] {
    return this.#edge.map(({ size, hash }) => ({ size, hash: hash.toString('hex') }));
  }

  get size(): number {
    return this.#size;
  }

  append(entry: string | Uint8Array): void {
    this.appendLeafHash(leafHash(entry));
  }

  appendLeafHash(hash: Buffer): void {
    let node = { size: 1, hash };
    for (let last = this.#edge.at(-1); last !== undefined && last.size === node.size; last = this.#edge.at(-1)) {
      this.#edge.pop();
      node = { size: node.size * 2, hash: nodeHash(last.hash, node.hash) };
    }
    this.#edge.push(node);
    this.#size++;
  }

  /** Root over all leaves so far. */
  root(): Buffer {
    return foldPerfectSubtrees(this.#edge.map((node) => node.hash));
  }

  commitment(): LogCommitment {
    return { size: this.#size, root: this.root().toString('hex') };
  }
}

/** Commitment to a whole sequence of entries. */
export function commitEntries(entries: Iterable<string | Uint8Array>): LogCommitment {
  const tree = new MerkleAccumulator();
  for (const entry of entries) tree.append(entry);
  return tree.commitment();
}
