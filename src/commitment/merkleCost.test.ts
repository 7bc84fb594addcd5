import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MerkleLog } from './merkleLog.js';
import { MerkleAccumulator } from './merkleTree.js';

const counter = vi.hoisted(() => ({ hashes: 0 }));

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:crypto')>();
  return {
    ...original,
    createHash: (algorithm: string) => {
      counter.hashes++;
      return original.createHash(algorithm);
    },
    hash: (algorithm: string, data: string | Uint8Array, encoding: 'buffer') => {
      counter.hashes++;
      return original.hash(algorithm, data, encoding);
    },
  };
});

describe('the number of hashes', () => {
  beforeEach(() => {
    counter.hashes = 0;
  });

  it.each([
    ['MerkleAccumulator', () => new MerkleAccumulator()],
    ['MerkleLog', () => new MerkleLog()],
  ])('appending to a %s takes at most 1 + log2(size) hashes, and fewer than 2 on average', (_, create) => {
    const tree = create();
    let worst = 0;
    const size = 4096;
    for (let i = 1; i <= size; i++) {
      const before = counter.hashes;
      tree.append(`event ${i}`);
      const spent = counter.hashes - before;
      expect(spent).toBeLessThanOrEqual(1 + Math.log2(i));
      worst = Math.max(worst, spent);
    }
    expect(worst).toBe(1 + Math.log2(size));
    expect(counter.hashes).toBe(2 * size - 1);
  });

  it('a root, an inclusion proof and a consistency proof take at most log2(size) hashes', () => {
    const log = new MerkleLog();
    for (let i = 0; i < 4095; i++) log.append(`event ${i}`);
    for (const size of [1, 2, 3, 1000, 2047, 2048, 4095]) {
      for (const work of [
        () => log.root(size),
        () => log.inclusionProof(Math.floor(size / 3), size),
        () => log.consistencyProof(Math.ceil(size / 2), size),
      ]) {
        counter.hashes = 0;
        work();
        expect(counter.hashes).toBeLessThanOrEqual(Math.ceil(Math.log2(size)));
      }
    }
  });
});
