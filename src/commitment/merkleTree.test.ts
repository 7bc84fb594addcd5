import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitEntries, leafHash, MerkleAccumulator } from './merkleTree.js';
import { sha256 } from './sha256.js';
import { entries, roots } from './testing/certificateTransparencyVectors.js';
import { treeHash } from './testing/recursiveMerkleTree.js';

describe('MerkleAccumulator', () => {
  it('gives the published roots of the Certificate Transparency tree at every size', () => {
    const tree = new MerkleAccumulator();
    expect(tree.commitment()).toEqual({ size: 0, root: roots[0] });
    for (const [index, entry] of entries.entries()) {
      tree.append(entry);
      expect(tree.commitment()).toEqual({ size: index + 1, root: roots[index + 1] });
    }
  });

  it('equals the recursive definition of RFC 9162 at every size, and reading a root changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 80 }), (texts) => {
        const tree = new MerkleAccumulator();
        for (const [index, text] of texts.entries()) {
          tree.append(text);
          expect(tree.root()).toEqual(treeHash(texts.slice(0, index + 1), sha256('')));
        }
        expect(commitEntries(texts)).toEqual(tree.commitment());
      }),
    );
  });

  it('tells an entry from a node: the entry that spells a node of two leaves has another root', () => {
    const [left, right] = [leafHash('a'), leafHash('b')];
    expect(commitEntries([Buffer.concat([left, right])]).root).not.toBe(commitEntries(['a', 'b']).root);
  });
});
