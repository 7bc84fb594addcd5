import { createHash } from 'node:crypto';

/** SHA-256 over the parts in a row, as bytes. */
export function sha256(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export const hex = (...parts) => sha256(...parts).toString('hex');

/** JSON with keys in code-unit order and no white space (RFC 8785); members that are undefined are left out. */
export function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  keys.sort((a, b) => (a < b ? -1 : 1));
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(',')}}`;
}

/** Numbers as little-endian bytes. @param width 2 or 4 for unsigned integers, 'float' or 'double' */
export function bytesOf(numbers, width) {
  const size = { 2: 2, 4: 4, float: 4, double: 8 }[width];
  const bytes = Buffer.alloc(numbers.length * size);
  const write = { 2: 'writeUInt16LE', 4: 'writeUInt32LE', float: 'writeFloatLE', double: 'writeDoubleLE' }[width];
  for (let i = 0; i < numbers.length; i++) bytes[write](numbers[i], i * size);
  return bytes;
}

const zero = Buffer.of(0);
const one = Buffer.of(1);

const joined = (right, left) => sha256(one, left, right);

/**
 * Merkle roots (RFC 9162 section 2.1.1) over the first n entries, for every n of `sizes`. Keeps the roots of the perfect
 * subtrees that the entries so far fall into, which is all that the root at any later size needs.
 * @returns Map from size to hexadecimal root
 */
export function prefixRoots(entries, sizes) {
  const wanted = new Set(sizes);
  const roots = new Map();
  const subtrees = [];
  for (let size = 0; ; size++) {
    if (wanted.has(size)) {
      const root = subtrees.length === 0 ? sha256() : subtrees.map(({ hash }) => hash).reduceRight(joined);
      roots.set(size, root.toString('hex'));
    }
    if (size === entries.length) return roots;
    let node = { leaves: 1, hash: sha256(zero, entries[size]) };
    while (subtrees.at(-1)?.leaves === node.leaves) {
      const left = subtrees.pop();
      node = { leaves: 2 * node.leaves, hash: sha256(one, left.hash, node.hash) };
    }
    subtrees.push(node);
  }
}

/**
 * Whether a consistency proof shows that the log of root `first` is a prefix of the log of root `second` (RFC 9162 section
 * 2.1.4.2); an equal log, and the empty one, are prefixes without a proof.
 * @param first, second { size, root } @param proof hexadecimal hashes
 */
export function isPrefix(first, second, proof) {
  if (!Array.isArray(proof) || !proof.every((hash) => /^[0-9a-f]{64}$/.test(hash))) return false;
  if (!(first.size <= second.size)) return false;
  if (first.size === second.size) return proof.length === 0 && first.root === second.root;
  if (first.size === 0) return proof.length === 0 && first.root === hex();
  const path = proof.map((hash) => Buffer.from(hash, 'hex'));
  const isPower = (first.size & (first.size - 1)) === 0;
  if (isPower) path.unshift(Buffer.from(first.root, 'hex'));
  if (path.length === 0) return false;
  let fn = first.size - 1;
  let sn = second.size - 1;
  for (; fn & 1; fn >>= 1) sn >>= 1;
  let [fr] = path;
  let sr = fr;
  for (const hash of path.slice(1)) {
    if (sn === 0) return false;
    if (fn & 1 || fn === sn) {
      fr = sha256(one, hash, fr);
      sr = sha256(one, hash, sr);
      for (; fn !== 0 && !(fn & 1); fn >>= 1) sn >>= 1;
    } else {
      sr = sha256(one, sr, hash);
    }
    fn >>= 1;
    sn >>= 1;
  }
  return sn === 0 && fr.toString('hex') === first.root && sr.toString('hex') === second.root;
}
