import { type InputLocation, InvalidInputError } from '../errors/InvalidInputError.js';
import { foldPerfectSubtrees, type LogCommitment, nodeHash } from './merkleTree.js';

/** Proof that a leaf is in a log (RFC 9162 section 2.1.3). JSON as it stands. */
export interface InclusionProof {
  /** Position of the leaf, from 0. */
  readonly index: number;
  /** Leaves of the log that the proof is about. */
  readonly size: number;
  /** Hexadecimal SHA-256 hashes, from the leaf's sibling upwards; at most ceil(log2(size)). */
  readonly path: readonly string[];
}

/** Proof that a log of `first` leaves is a prefix of a log of `second` leaves (RFC 9162 section 2.1.4). JSON as it stands. */
export interface ConsistencyProof {
  readonly first: number;
  readonly second: number;
  /** Hexadecimal SHA-256 hashes; at most ceil(log2(second)) + 1. Empty when the sizes are equal or `first` is 0. */
  readonly path: readonly string[];
}

/**
 * Whether `proof` shows that a leaf with this hash stands at `proof.index` of the log: the algorithm of RFC 9162
 * section 2.1.3.2. It needs nothing but its arguments. A proof about another size than the log's proves nothing.
 *
 * @param leaf 32 bytes: `leafHash(entry)`
 */
export function verifyInclusion(proof: InclusionProof, leaf: Uint8Array, log: LogCommitment): boolean {
  if (proof.size !== log.size || proof.index < 0 || proof.index >= proof.size || !areHashes(proof.path)) return false;
  let node = proof.index;
  let lastNode = proof.size - 1;
  let hash: Buffer = Buffer.from(leaf);
  for (const sibling of proof.path) {
    if (lastNode === 0) return false;
    const other = Buffer.from(sibling, 'hex');
    if (node % 2 === 1 || node === lastNode) {
      hash = nodeHash(other, hash);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        lastNode = half(lastNode);
      }
    } else {
      hash = nodeHash(hash, other);
    }
    node = half(node);
    lastNode = half(lastNode);
  }
  return lastNode === 0 && hash.toString('hex') === log.root;
}

/**
 * Whether `proof` shows that the log committed to by `first` is a prefix of the one committed to by `second`: the
 * algorithm of RFC 9162 section 2.1.4.2, which is defined for 0 < first < second; equal logs are prefixes of one
 * another, and the empty log is a prefix of every log, both with an empty path.
 *
 * With `first` the memory before a request and `second` the shared event log, this is the statement "M_<i is a prefix
 * of the log" (PIT Discovery section 4.3).
 */
export function verifyConsistency(proof: ConsistencyProof, first: LogCommitment, second: LogCommitment): boolean {
  if (proof.first !== first.size || proof.second !== second.size || first.size < 0 || first.size > second.size) {
    return false;
  }
  if (!areHashes(proof.path)) return false;
  if (first.size === second.size) return proof.path.length === 0 && first.root === second.root;
  if (first.size === 0) return proof.path.length === 0 && first.root === emptyRoot;
  const path = proof.path.map((hash): Buffer => Buffer.from(hash, 'hex'));
  if (path.length === 0) return false;
  if (isPowerOfTwo(first.size)) path.unshift(Buffer.from(first.root, 'hex'));
  let node = first.size - 1;
  let lastNode = second.size - 1;
  while (node % 2 === 1) {
    node = half(node);
    lastNode = half(lastNode);
  }
  let firstHash = path[0]!;
  let secondHash = path[0]!;
  for (const hash of path.slice(1)) {
    if (lastNode === 0) return false;
    if (node % 2 === 1 || node === lastNode) {
      firstHash = nodeHash(hash, firstHash);
      secondHash = nodeHash(hash, secondHash);
      while (node % 2 === 0 && node !== 0) {
        node /= 2;
        lastNode = half(lastNode);
      }
    } else {
      secondHash = nodeHash(secondHash, hash);
    }
    node = half(node);
    lastNode = half(lastNode);
  }
  return lastNode === 0 && firstHash.toString('hex') === first.root && secondHash.toString('hex') === second.root;
}

/**
 * An inclusion proof out of parsed JSON.
 * @throws InvalidInputError naming the member that is not of the form
 */
export function parseInclusionProof(value: unknown, location: InputLocation): InclusionProof {
  const record = recordOf(value, location);
  return {
    index: countOf(record, 'index', location),
    size: countOf(record, 'size', location),
    path: pathOf(record, location),
  };
}

/**
 * A consistency proof out of parsed JSON.
 * @throws InvalidInputError naming the member that is not of the form
 */
export function parseConsistencyProof(value: unknown, location: InputLocation): ConsistencyProof {
  const record = recordOf(value, location);
  return {
    first: countOf(record, 'first', location),
    second: countOf(record, 'second', location),
    path: pathOf(record, location),
  };
}

/**
 * A commitment out of parsed JSON.
 * @throws InvalidInputError naming the member that is not of the form
 */
export function parseLogCommitment(value: unknown, location: InputLocation): LogCommitment {
  const record = recordOf(value, location);
  return { size: countOf(record, 'size', location), root: hashOf(record.root, 'root', location) };
}

const emptyRoot = foldPerfectSubtrees([]).toString('hex');
const hexHash = /^[0-9a-f]{64}$/;
/** Two more than the height of the tallest tree whose size a double holds exactly. */
const longestPath = 55;

/** A hash of another length would leave bytes of the node before it in place. */
function areHashes(path: readonly string[]): boolean {
  return path.every((hash) => hexHash.test(hash));
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isPowerOfTwo(size: number): boolean {
  let odd = size;
  while (odd % 2 === 0) odd /= 2;
  return odd === 1;
}

function recordOf(value: unknown, location: InputLocation): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidInputError({ location, value, expected: 'an object' });
}

function countOf(record: Record<string, unknown>, member: string, location: InputLocation): number {
  const value = record[member];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidInputError({
    location: { ...location, field: member },
    value,
    expected: 'an integer of at least 0',
  });
}

function hashOf(value: unknown, field: string, location: InputLocation): string {
  if (typeof value === 'string' && hexHash.test(value)) return value;
  throw new InvalidInputError({
    location: { ...location, field },
    value,
    expected: 'a SHA-256 hash in 64 lower-case hexadecimal digits',
  });
}

function pathOf(record: Record<string, unknown>, location: InputLocation): string[] {
  const { path } = record;
  if (!Array.isArray(path) || path.length > longestPath) {
    throw new InvalidInputError({
      location: { ...location, field: 'path' },
      value: Array.isArray(path) ? path.length : path,
      expected: `a list of at most ${longestPath} hashes`,
    });
  }
  return path.map((hash: unknown, index) => hashOf(hash, `path[${index}]`, location));
}
