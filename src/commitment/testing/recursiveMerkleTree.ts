import { leafHash, nodeHash } from '../merkleTree.js';

/** The definitions of RFC 9162 section 2.1, word for word and without a thought of cost: what the fast code must equal. */

/** Largest power of two smaller than n > 1. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** MTH(D[n]), section 2.1.1. `empty` is SHA-256 of nothing. */
export function treeHash(entries: readonly string[], empty: Buffer): Buffer {
  if (entries.length === 0) return empty;
  if (entries.length === 1) return leafHash(entries[0]!);
  const k = split(entries.length);
  return nodeHash(treeHash(entries.slice(0, k), empty), treeHash(entries.slice(k), empty));
}

/** PATH(m, D_n), section 2.1.3.1. */
export function inclusionPath(m: number, entries: readonly string[], empty: Buffer): Buffer[] {
  if (entries.length === 1) return [];
  const k = split(entries.length);
  const left = entries.slice(0, k);
  const right = entries.slice(k);
  return m < k
    ? [...inclusionPath(m, left, empty), treeHash(right, empty)]
    : [...inclusionPath(m - k, right, empty), treeHash(left, empty)];
}

/** SUBPROOF(m, D_n, b), section 2.1.4.1; PROOF(m, D_n) is the one with b true. */
export function consistencyPath(m: number, entries: readonly string[], empty: Buffer, whole = true): Buffer[] {
  const n = entries.length;
  if (m === n) return whole ? [] : [treeHash(entries, empty)];
  const k = split(n);
  const left = entries.slice(0, k);
  const right = entries.slice(k);
  return m <= k
    ? [...consistencyPath(m, left, empty, whole), treeHash(right, empty)]
    : [...consistencyPath(m - k, right, empty, false), treeHash(left, empty)];
}
