import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classTerms, termDistance } from './classTerms.js';
import { entityShares } from './entityShares.js';
import { countTerms, termsOf } from './termsOf.js';

describe('termsOf', () => {
  it('keeps words that can name a topic, in order, repeated ones repeated', () => {
    expect(termsOf('The S3 bucket, an S3-bucket of 2019: a "Überlauf" in CVE-2019-1 x')).toEqual([
      's3',
      'bucket',
      's3',
      'bucket',
      'überlauf',
      'cve',
    ]);
    expect(termsOf('')).toEqual([]);
  });

  it('does not tell compatible forms of a character apart', () => {
    expect(termsOf('ﬁle ＦＩＬＥ')).toEqual(['file', 'file']);
    expect(countTerms(['ﬁle', 'FILE size'])).toEqual(
      new Map([
        ['file', 2],
        ['size', 1],
      ]),
    );
  });
});

describe('classTerms', () => {
  it('weighs terms as worked out by hand', () => {
    // A = (3 + 1) / 2 = 2. Class 0: a 2/3 log(1 + 2/3) = 0.341, b 1/3 log(1 + 2) = 0.366. Class 1: a log(1 + 2/3).
    const classes = [countTerms(['aa aa bb']), countTerms(['aa'])];
    expect(classTerms(classes, 5)).toEqual([['bb', 'aa'], ['aa']]);
    expect(classTerms(classes, 1)).toEqual([['bb'], ['aa']]);
  });

  it('gives an empty class no terms, and orders equals by code units', () => {
    expect(classTerms([countTerms([]), countTerms(['zz éé aa'])], 3)).toEqual([[], ['aa', 'zz', 'éé']]);
    expect(classTerms([], 3)).toEqual([]);
  });

  it('does not depend on the order of texts', () => {
    const word = fc.constantFrom('aa', 'bb', 'cc', 'dd');
    const texts = fc.array(fc.array(word).map((words) => words.join(' ')));
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const turned = classTerms([countTerms(a.toReversed()), countTerms(b.toReversed())], 3);
        expect(turned).toEqual(classTerms([countTerms(a), countTerms(b)], 3));
      }),
    );
  });
});

describe('termDistance', () => {
  it('is 1 - Jaccard, and 0 between two empty lists', () => {
    expect(termDistance(['a', 'b', 'c'], ['b', 'c', 'd'])).toBe(0.5);
    expect(termDistance(['a'], ['b'])).toBe(1);
    expect(termDistance([], [])).toBe(0);
    expect(termDistance([], ['b'])).toBe(1);
  });
});

describe('entityShares', () => {
  it('counts each entity once a document, the most frequent first, equals by code units', () => {
    expect(entityShares([['b', 'a', 'b'], ['b'], [], ['c']], 2)).toEqual([
      { entity: 'b', documents: 2, share: 0.5 },
      { entity: 'a', documents: 1, share: 0.25 },
    ]);
    expect(entityShares([], 2)).toEqual([]);
  });
});
