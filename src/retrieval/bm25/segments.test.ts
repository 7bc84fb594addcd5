import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sha256Hex } from '../../commitment/sha256.js';
import { RandomSource } from '../../random/RandomSource.js';
import { english } from '../analysis/english.js';
import { whitespace } from '../analysis/whitespace.js';
import { rankedRows, rankedScores } from '../ranking.js';
import { Bm25Retriever } from './Bm25Retriever.js';
import { IndexSnapshot } from './IndexSnapshot.js';
import type { InvertedIndex } from './InvertedIndex.js';
import { buildInvertedIndex } from './InvertedIndexBuilder.js';
import { readIndexFile, writeIndexFile } from './indexFile.js';
import { SegmentedBm25 } from './SegmentedBm25.js';
import { SegmentedSnapshot } from './SegmentedSnapshot.js';

const words = ['the', 'of', 'in', 'a', 'cat', 'dog', 'fox', 'owl', 'yak', 'emu', 'ibis', 'okapi'];
const word = fc.integer({ min: 0, max: 99 }).map((draw) => words[Math.floor((draw / 100) ** 3 * words.length)]!);
const text = fc.array(word, { maxLength: 30 }).map((terms) => terms.join(' '));
const segment = fc.record({
  texts: fc.array(text, { maxLength: 20 }),
  prefix: fc.double({ min: 0, max: 1, noNaN: true }),
  deadDraws: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 20, maxLength: 20 }),
});

describe('BM25 over segments', () => {
  it('equals, bit for bit, an index built from the live documents alone', () => {
    fc.assert(
      fc.property(
        fc.array(segment, { maxLength: 5 }),
        text,
        fc.integer({ min: 1, max: 12 }),
        fc.nat(),
        (segments, query, depth, seed) => {
          const total = segments.reduce((sum, { texts }) => sum + texts.length, 0);
          const idOrder = new RandomSource(seed, 'test').shuffle(Uint32Array.from({ length: total }, (_, i) => i));
          const parts: IndexSnapshot[] = [];
          const firstRows: number[] = [];
          const live: { row: number; text: string }[] = [];
          let firstRow = 0;
          for (const { texts, prefix, deadDraws } of segments) {
            const size = Math.round(prefix * texts.length);
            const dead = Uint8Array.from(deadDraws, (draw) => (draw === 0 ? 1 : 0));
            parts.push(new IndexSnapshot(buildInvertedIndex(texts, whitespace), size, { dead }));
            firstRows.push(firstRow);
            for (let row = 0; row < size; row++) {
              if (dead[row] === 0) live.push({ row: firstRow + row, text: texts[row]! });
            }
            firstRow += texts.length;
          }
          const segmented = new SegmentedBm25(new SegmentedSnapshot(parts, firstRows), whitespace, idOrder);
          const block = segmented.rank(query, depth);
          const alone = new Bm25Retriever(
            new IndexSnapshot(
              buildInvertedIndex(
                live.map(({ text }) => text),
                whitespace,
              ),
            ),
            Uint32Array.from(live, ({ row }) => idOrder[row]!),
          ).rankBlock([query], depth);
          expect([...rankedRows(block, 0)]).toEqual([...rankedRows(alone, 0)].map((row) => live[row]!.row));
          expect([...rankedScores(block, 0)]).toEqual([...rankedScores(alone, 0)]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('leaves out excluded rows with the statistics of the snapshot as they are', () => {
    const part = new IndexSnapshot(buildInvertedIndex(['cat', 'cat dog', 'dog'], whitespace));
    const bm25 = new SegmentedBm25(new SegmentedSnapshot([part], [0]), whitespace, Uint32Array.of(0, 1, 2));
    const all = bm25.rank('cat', 3);
    const some = bm25.rank('cat', 3, [Uint8Array.of(1, 0, 0)]);
    expect([...rankedRows(all, 0)]).toEqual([0, 1]);
    expect([...rankedRows(some, 0)]).toEqual([1]);
    expect(some.scores[0]).toBe(all.scores[1]);
  });

  it('has an empty list where there is no document, or none with a term of the query (case 23)', () => {
    const none = new SegmentedBm25(new SegmentedSnapshot([], []), whitespace, new Uint32Array(0));
    expect(none.rank('cat', 5).lengths[0]).toBe(0);
    const empty = new IndexSnapshot(buildInvertedIndex(['', ''], whitespace));
    const bm25 = new SegmentedBm25(new SegmentedSnapshot([empty], [0]), whitespace, Uint32Array.of(0, 1));
    expect(bm25.rank('cat', 5).lengths[0]).toBe(0);
  });
});

describe('an index file', () => {
  function written(index: InvertedIndex) {
    const folder = mkdtempSync(path.join(tmpdir(), 'asof-index-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'index');
    const sha256 = async () => {
      await writeIndexFile(file, index);
      return sha256Hex(readFileSync(file));
    };
    return { file, sha256 };
  }

  it('gives back the index that was written', async () => {
    for (const texts of [[], [''], ['the cat', 'the dog dog', '', 'naïve Ærø 東京', 'the cat '.repeat(300)]]) {
      const index = buildInvertedIndex(texts, english);
      const { file, sha256 } = written(index);
      const { termNumber, ...rest } = await readIndexFile(file, await sha256(), english);
      const { termNumber: original, ...expected } = index;
      expect(rest).toEqual(expected);
      for (const term of [...index.terms, 'unknown']) expect(termNumber(term)).toBe(original(term));
    }
  });

  it('refuses a file that is absent, damaged, of another kind or of another analyzer', async () => {
    const { file, sha256 } = written(buildInvertedIndex(['cat'], english));
    await expect(readIndexFile(file, '', english)).rejects.toThrow(/asof index/);
    const hash = await sha256();
    await expect(readIndexFile(file, hash, whitespace)).rejects.toThrow('made by analyzer english');
    const bytes = readFileSync(file);
    bytes[bytes.length - 9]! ^= 1;
    writeFileSync(file, bytes);
    await expect(readIndexFile(file, hash, english)).rejects.toThrow('damaged');
    writeFileSync(file, 'something else');
    await expect(readIndexFile(file, sha256Hex('something else'), english)).rejects.toThrow('not an index file');
  });
});
