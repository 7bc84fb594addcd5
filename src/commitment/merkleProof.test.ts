import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '../errors/InvalidInputError.js';
import { MerkleLog } from './merkleLog.js';
import {
  parseConsistencyProof,
  parseInclusionProof,
  parseLogCommitment,
  verifyConsistency,
  verifyInclusion,
} from './merkleProof.js';
import { leafHash, nodeHash } from './merkleTree.js';
import { consistencyPaths, entries, inclusionPaths, roots } from './testing/certificateTransparencyVectors.js';

const here = { file: 'proof.json' };
const texts = Array.from({ length: 70 }, (_, index) => `event ${index}`);
const log = new MerkleLog();
for (const text of texts) log.append(text);

/** Every way to spoil one list: a hash changed, dropped, doubled, or one added. */
function spoiled(path: readonly string[]): string[][] {
  const flipped = (hash: string) => (hash.startsWith('0') ? `1${hash.slice(1)}` : `0${hash.slice(1)}`);
  return [
    [...path, 'ab'.repeat(32)],
    ['ab'.repeat(32), ...path],
    ...path.flatMap((_, at) => [
      path.map((hash, index) => (index === at ? flipped(hash) : hash)),
      path.toSpliced(at, 1),
      path.toSpliced(at, 0, path[at]!),
    ]),
  ];
}

describe('verifyInclusion', () => {
  it('accepts the published proofs', () => {
    for (const proof of inclusionPaths) {
      const commitment = { size: proof.size, root: roots[proof.size]! };
      expect(verifyInclusion(proof, leafHash(entries[proof.index]!), commitment)).toBe(true);
    }
  });

  it('accepts the proof of every leaf at every size up to 70, and no other leaf, place, size or root', {
    timeout: 60_000,
  }, () => {
    for (let size = 1; size <= 70; size++) {
      const commitment = log.commitment(size);
      for (let index = 0; index < size; index++) {
        const proof = log.inclusionProof(index, size);
        const leaf = leafHash(texts[index]!);
        expect(verifyInclusion(proof, leaf, commitment)).toBe(true);
        expect(verifyInclusion(proof, leafHash('another'), commitment)).toBe(false);
        expect(verifyInclusion({ ...proof, index: (index + 1) % size }, leaf, commitment)).toBe(size === 1);
        expect(verifyInclusion({ ...proof, size: size + 1 }, leaf, commitment)).toBe(false);
        expect(verifyInclusion(proof, leaf, { size, root: log.root(size - 1).toString('hex') })).toBe(false);
      }
    }
  });

  it('rejects a proof with a hash changed, dropped, doubled or added', () => {
    for (const [index, size] of [
      [0, 1],
      [0, 8],
      [6, 7],
      [33, 70],
    ] as const) {
      const proof = log.inclusionProof(index, size);
      for (const path of spoiled(proof.path)) {
        expect(verifyInclusion({ ...proof, path }, leafHash(texts[index]!), log.commitment(size))).toBe(false);
      }
    }
  });

  it('rejects a commitment whose root is that of a smaller log than it says', () => {
    const { index, path } = log.inclusionProof(0, 4);
    const mislabelled = { size: 8, root: log.root(4).toString('hex') };
    expect(verifyInclusion({ index, size: 8, path }, leafHash(texts[0]!), mislabelled)).toBe(false);
  });

  it('rejects a commitment whose root is that of a larger tree than it says', () => {
    const [left, right] = [leafHash('a'), leafHash('b')];
    const mislabelled = { size: 1, root: nodeHash(left, right).toString('hex') };
    expect(verifyInclusion({ index: 0, size: 1, path: [left.toString('hex')] }, right, mislabelled)).toBe(false);
  });

  it('rejects a place outside the log, and anything about the empty log', () => {
    const proof = { index: 3, size: 3, path: [] };
    expect(verifyInclusion(proof, leafHash(''), log.commitment(3))).toBe(false);
    expect(verifyInclusion({ index: 0, size: 0, path: [] }, leafHash(''), log.commitment(0))).toBe(false);
    expect(verifyInclusion({ index: -1, size: 3, path: [] }, leafHash(''), log.commitment(3))).toBe(false);
  });
});

describe('verifyConsistency', () => {
  it('accepts the published proofs', () => {
    for (const proof of consistencyPaths) {
      const first = { size: proof.first, root: roots[proof.first]! };
      const second = { size: proof.second, root: roots[proof.second]! };
      expect(verifyConsistency(proof, first, second)).toBe(true);
    }
  });

  it('accepts the proof of every pair of sizes up to 70, the empty log and equal sizes included', () => {
    for (let second = 0; second <= 70; second++) {
      for (let first = 0; first <= second; first++) {
        const proof = log.consistencyProof(first, second);
        expect(verifyConsistency(proof, log.commitment(first), log.commitment(second))).toBe(true);
      }
    }
  });

  it('rejects a first log that is no prefix: one earlier event altered, removed, or put elsewhere', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 2, max: 70 })
          .chain((second) =>
            fc
              .tuple(fc.constant(second), fc.integer({ min: 1, max: second }))
              .chain(([n, first]) => fc.tuple(fc.constant(n), fc.constant(first), fc.nat({ max: first - 1 }))),
          ),
        ([second, first, at]) => {
          const proof = log.consistencyProof(first, second);
          const altered = texts.slice(0, first).map((text, index) => (index === at ? 'altered' : text));
          const other = new MerkleLog();
          for (const text of altered) other.append(text);
          expect(verifyConsistency(proof, other.commitment(), log.commitment(second))).toBe(false);
          expect(verifyConsistency(proof, log.commitment(first), other.commitment())).toBe(false);
        },
      ),
    );
  });

  it('rejects a proof with a hash changed, dropped, doubled or added', () => {
    for (const [first, second] of [
      [0, 7],
      [1, 2],
      [4, 8],
      [5, 8],
      [33, 70],
      [64, 70],
      [70, 70],
    ] as const) {
      const proof = log.consistencyProof(first, second);
      for (const path of spoiled(proof.path)) {
        expect(verifyConsistency({ ...proof, path }, log.commitment(first), log.commitment(second))).toBe(false);
      }
    }
  });

  it('rejects a second commitment whose root is that of a smaller log than it says', () => {
    const { first, path } = log.consistencyProof(1, 4);
    const mislabelled = { size: 8, root: log.root(4).toString('hex') };
    expect(verifyConsistency({ first, second: 8, path }, log.commitment(1), mislabelled)).toBe(false);
  });

  it('rejects commitments whose roots are those of larger trees than they say', () => {
    const beside = leafHash('beside');
    const above = (size: number) => ({ size, root: nodeHash(beside, log.root(size)).toString('hex') });
    const path = [...log.consistencyProof(3, 4).path, beside.toString('hex')];
    expect(verifyConsistency({ first: 3, second: 4, path }, above(3), above(4))).toBe(false);
  });

  it('rejects sizes that are not those of the commitments, or the wrong way round', () => {
    const proof = log.consistencyProof(3, 7);
    expect(verifyConsistency(proof, log.commitment(4), log.commitment(7))).toBe(false);
    expect(verifyConsistency(proof, log.commitment(3), log.commitment(8))).toBe(false);
    expect(verifyConsistency({ ...proof, first: 7, second: 3 }, log.commitment(7), log.commitment(3))).toBe(false);
    expect(verifyConsistency({ first: 0, second: 7, path: [] }, { size: 0, root: roots[1]! }, log.commitment(7))).toBe(
      false,
    );
  });

  it('takes a size near 2^50 for what it is, not for a power of two', () => {
    const first = { size: 2 ** 50 + 1, root: roots[1]! };
    const second = { size: 2 ** 50 + 2, root: roots[2]! };
    expect(verifyConsistency({ first: first.size, second: second.size, path: [roots[1]!] }, first, second)).toBe(false);
  });
});

describe('parsing proofs', () => {
  it('gives back what JSON.stringify wrote', () => {
    const inclusion = log.inclusionProof(12, 70);
    const consistency = log.consistencyProof(33, 70);
    expect(parseInclusionProof(JSON.parse(JSON.stringify(inclusion)), here)).toEqual(inclusion);
    expect(parseConsistencyProof(JSON.parse(JSON.stringify(consistency)), here)).toEqual(consistency);
    expect(parseLogCommitment(JSON.parse(JSON.stringify(log.commitment(5))), here)).toEqual(log.commitment(5));
  });

  it.each([
    [null, 'an object'],
    [[], 'an object'],
    [{ index: 1.5, size: 2, path: [] }, 'index'],
    [{ index: '0', size: 2, path: [] }, 'index'],
    [{ index: 0, size: -1, path: [] }, 'size'],
    [{ index: 0, size: 2 ** 60, path: [] }, 'size'],
    [{ index: 0, size: 2, path: 'x' }, 'path'],
    [{ index: 0, size: 2, path: ['AB'.repeat(32)] }, 'path[0]'],
    [{ index: 0, size: 2, path: ['ab'] }, 'path[0]'],
    [{ index: 0, size: 2, path: new Array(56).fill('ab'.repeat(32)) }, 'path'],
  ])('refuses %j and names the member', (value, named) => {
    expect(() => parseInclusionProof(value, here)).toThrow(InvalidInputError);
    expect(() => parseInclusionProof(value, here)).toThrow(named);
  });

  it('names the member of a consistency proof and of a commitment', () => {
    expect(() => parseConsistencyProof({ first: 0, path: [] }, here)).toThrow('proof.json: second: got nothing');
    expect(() => parseLogCommitment({ size: 0, root: 7 }, here)).toThrow('proof.json: root: got 7');
  });
});
