import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { whitespace } from '../analysis/whitespace.js';
import { IndexSnapshot } from './IndexSnapshot.js';
import { frequencyOf } from './InvertedIndex.js';
import { buildInvertedIndex, InvertedIndexBuilder } from './InvertedIndexBuilder.js';
import { luceneLength } from './luceneLength.js';

// Words that are also names of what every object inherits: a dictionary must not find those.
const words: readonly string[] = ['a', 'b', 'c', 'd', '__proto__', 'constructor'];
const documents = fc.array(fc.array(fc.constantFrom(...words), { maxLength: 6 }), { maxLength: 20 });
const build = (terms: readonly (readonly string[])[]) =>
  buildInvertedIndex(
    terms.map((document) => document.join(' ')),
    whitespace,
  );

describe('an inverted index', () => {
  it('holds the frequency of every term in every row, rows ascending in each list', () => {
    fc.assert(
      fc.property(documents, (terms) => {
        const index = build(terms);
        expect([...index.lengthNumbers].map((number) => index.distinctLengths[number])).toEqual(
          terms.map((document) => document.length),
        );
        expect(new Set(index.distinctLengths).size).toBe(index.distinctLengths.length);
        expect([...index.terms]).toEqual([...new Set(terms.flat())]);
        for (const [term, word] of index.terms.entries()) {
          expect(index.termNumber(word)).toBe(term);
          const list = index.postings.subarray(2 * index.offsets[term]!, 2 * index.offsets[term + 1]!);
          const rows = [...list].filter((_, at) => at % 2 === 0);
          expect(rows).toEqual([...terms.keys()].filter((row) => terms[row]!.includes(word)));
          for (const row of terms.keys()) {
            expect(frequencyOf(index, term, row)).toBe(terms[row]!.filter((other) => other === word).length);
          }
        }
      }),
    );
  });

  it('knows no term that no text holds', () => {
    expect(build([['a']]).termNumber('b')).toBeUndefined();
    expect(build([]).termNumber('toString')).toBeUndefined();
  });

  it('can be read while more rows are added: what was finished stays as it was', () => {
    const builder = new InvertedIndexBuilder(whitespace);
    builder.add('a b');
    const early = builder.finish();
    builder.add('b c');
    const late = builder.finish();
    expect([early.size, early.terms, early.termNumber('c')]).toEqual([1, ['a', 'b'], undefined]);
    expect([...early.offsets]).toEqual([0, 1, 2]);
    expect([late.size, late.terms, late.termNumber('c')]).toEqual([2, ['a', 'b', 'c'], 2]);
    expect([...late.commitments.subarray(0, 16)]).toEqual([...early.commitments]);
  });
});

describe('an index snapshot', () => {
  it('has the statistics of an index built from its live documents alone', () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (terms, cut, mask) => {
        const size = cut % (terms.length + 1);
        const dead = Uint8Array.from(mask, Number);
        const snapshot = new IndexSnapshot(build(terms), size, { dead });
        const alone = new IndexSnapshot(build(terms.slice(0, size).filter((_, row) => dead[row] === 0)));
        expect(snapshot.documentCount).toBe(alone.documentCount);
        expect(snapshot.averageLength).toBe(alone.averageLength);
        for (const [term, word] of snapshot.index.terms.entries()) {
          const other = alone.index.termNumber(word);
          expect(snapshot.documentFrequency(term)).toBe(other === undefined ? 0 : alone.documentFrequency(other));
        }
      }),
    );
  });

  it('refuses a size that is no prefix and a mask that is too short', () => {
    const index = build([['a'], ['b']]);
    for (const size of [-1, 3, 0.5, Number.NaN]) {
      expect(() => new IndexSnapshot(index, size)).toThrow(InvalidArgumentError);
    }
    expect(() => new IndexSnapshot(index, 2, { dead: new Uint8Array(1) })).toThrow('one entry for each of 2 rows');
    expect(new IndexSnapshot(index, 0).averageLength).toBe(0);
  });
});

describe('luceneLength', () => {
  it('rounds down to the lengths that one byte of Lucene can hold', () => {
    const held = Array.from({ length: 200 }, (_, length) => luceneLength(length));
    expect([...new Set(held)].slice(36)).toEqual([
      ...[36, 37, 38, 39, 40, 42, 44, 46, 48, 50, 52, 54, 56, 60, 64, 68, 72, 76, 80, 84],
      ...[88, 96, 104, 112, 120, 128, 136, 144, 152, 168, 184],
    ]);
    for (const [length, rounded] of held.entries()) expect(rounded).toBeLessThanOrEqual(length);
  });

  it('keeps its order up to the longest document there can be', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        expect(Math.sign(luceneLength(a) - luceneLength(b)) * Math.sign(a - b)).toBeGreaterThanOrEqual(0);
        expect(luceneLength(a)).toBeGreaterThan(a * 0.88 - 1);
      }),
    );
    expect(luceneLength(2 ** 31 - 1)).toBe(2_013_265_944);
  });
});
