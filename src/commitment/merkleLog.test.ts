import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MerkleLog } from './merkleLog.js';
import { commitEntries } from './merkleTree.js';
import { sha256 } from './sha256.js';
import { consistencyPaths, entries, inclusionPaths, roots } from './testing/certificateTransparencyVectors.js';
import { consistencyPath, inclusionPath, treeHash } from './testing/recursiveMerkleTree.js';

const empty = sha256('');
const hex = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('hex'));

function logOf(texts: readonly (string | Uint8Array)[]): MerkleLog {
  const log = new MerkleLog();
  for (const text of texts) log.append(text);
  return log;
}

describe('MerkleLog', () => {
  it('gives the published roots and proofs of the Certificate Transparency tree', () => {
    const log = logOf(entries);
    for (const [size, root] of roots.entries()) expect(log.commitment(size)).toEqual({ size, root });
    for (const proof of inclusionPaths) expect(log.inclusionProof(proof.index, proof.size)).toEqual(proof);
    for (const proof of consistencyPaths) expect(log.consistencyProof(proof.first, proof.second)).toEqual(proof);
  });

  it('equals the recursive definitions for every root, leaf and pair of sizes up to 70', { timeout: 60_000 }, () => {
    const texts = Array.from({ length: 70 }, (_, index) => `event ${index}`);
    const log = logOf(texts);
    for (let n = 1; n <= texts.length; n++) {
      const prefix = texts.slice(0, n);
      expect(log.root(n)).toEqual(treeHash(prefix, empty));
      for (let m = 0; m < n; m++) expect(log.inclusionProof(m, n).path).toEqual(hex(inclusionPath(m, prefix, empty)));
      for (let m = 1; m <= n; m++) {
        expect(log.consistencyProof(m, n).path).toEqual(hex(consistencyPath(m, prefix, empty)));
      }
    }
  });

  it('equals the recursive definitions at random sizes that cross the chunks of the store', { timeout: 60_000 }, () => {
    const texts = Array.from({ length: 2500 }, (_, index) => `event ${index}`);
    const log = logOf(texts);
    const sizes = fc.integer({ min: 1, max: texts.length });
    fc.assert(
      fc.property(sizes, sizes, (a, b) => {
        const [m, n] = [Math.min(a, b), Math.max(a, b)];
        const prefix = texts.slice(0, n);
        expect(log.root(n)).toEqual(treeHash(prefix, empty));
        expect(log.inclusionProof(m - 1, n).path).toEqual(hex(inclusionPath(m - 1, prefix, empty)));
        expect(log.consistencyProof(m, n).path).toEqual(hex(consistencyPath(m, prefix, empty)));
      }),
      { numRuns: 15 },
    );
  });

  it('keeps the past: a proof and a root of an earlier size are the same after more was appended', () => {
    const log = logOf(['a', 'b', 'c', 'd', 'e']);
    const before = [log.root(3), log.inclusionProof(1, 4), log.consistencyProof(3, 5)];
    for (let i = 0; i < 100; i++) log.append(`later ${i}`);
    expect([log.root(3), log.inclusionProof(1, 4), log.consistencyProof(3, 5)]).toEqual(before);
  });

  it('commits to what the accumulator commits to', () => {
    expect(logOf(['x', 'y', 'z']).commitment()).toEqual(commitEntries(['x', 'y', 'z']));
    expect(new MerkleLog().commitment()).toEqual(commitEntries([]));
  });

  it('restores from its leaf hashes', () => {
    const log = logOf(Array.from({ length: 2100 }, (_, index) => `${index}`));
    const restored = MerkleLog.fromLeafHashes(log.leafHashes());
    expect(restored.commitment()).toEqual(log.commitment());
    expect(restored.consistencyProof(1025, 2100)).toEqual(log.consistencyProof(1025, 2100));
    expect(() => MerkleLog.fromLeafHashes(new Uint8Array(33))).toThrow(InvalidArgumentError);
  });

  it('does not change with a buffer that the caller reuses', () => {
    const hash = Buffer.alloc(32, 1);
    const log = new MerkleLog();
    log.appendLeafHash(hash);
    hash.fill(2);
    expect(log.root()).toEqual(Buffer.alloc(32, 1));
    expect(() => log.appendLeafHash(Buffer.alloc(31))).toThrow(RangeError);
    expect(log.size).toBe(1);
  });

  it('refuses sizes and leaves that it never had', () => {
    const log = logOf(['a', 'b']);
    for (const size of [-1, 3, 1.5, Number.NaN]) {
      expect(() => log.root(size)).toThrow(InvalidArgumentError);
      expect(() => log.consistencyProof(0, size)).toThrow(InvalidArgumentError);
    }
    for (const index of [-1, 2, 0.5]) expect(() => log.inclusionProof(index)).toThrow(InvalidArgumentError);
    expect(() => log.inclusionProof(0, 0)).toThrow(InvalidArgumentError);
    expect(() => log.consistencyProof(2, 1)).toThrow(InvalidArgumentError);
  });
});

describe('a prefix of a MerkleLog', () => {
  it('is the log of that size, and goes on without regard to the longer one', () => {
    const texts = Array.from({ length: 2100 }, (_, i) => `entry ${i}`);
    const whole = logOf(texts);
    for (const size of [0, 1, 2, 7, 1023, 1024, 1025, 2048, 2100]) {
      const log = whole.prefix(size);
      expect(log.commitment()).toEqual(whole.commitment(size));
      for (let i = 0; i < 5; i++) log.append(`other ${i}`);
      const others = Array.from({ length: 5 }, (_, i) => `other ${i}`);
      expect(log.commitment()).toEqual(logOf([...texts.slice(0, size), ...others]).commitment());
      expect(log.inclusionProof(size, size + 5)).toEqual(
        logOf([...texts.slice(0, size), ...others]).inclusionProof(size, size + 5),
      );
    }
    expect(whole.commitment()).toEqual(logOf(texts).commitment());
    expect(() => whole.prefix(2101)).toThrow(/size: got 2101/);
  });
});
