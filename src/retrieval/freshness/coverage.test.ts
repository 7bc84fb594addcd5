import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { millisecondsPerDay as day } from '../../time/instant.js';
import { namesOf } from '../analysis/names.js';
import { plain } from '../analysis/plain.js';
import { IndexSnapshot } from '../bm25/IndexSnapshot.js';
import { buildInvertedIndex } from '../bm25/InvertedIndexBuilder.js';
import { coverageOf } from './coverage.js';
import { rankFreshness } from './rankFreshness.js';
import { termCandidates } from './termCandidates.js';

/** A corpus with one text a day; the last is written today. */
function sourceOf(texts: readonly string[], size = texts.length, dead?: Uint8Array) {
  const options = dead === undefined ? {} : { dead };
  return {
    snapshot: new IndexSnapshot(buildInvertedIndex(texts, plain), size, options),
    names: new IndexSnapshot(buildInvertedIndex(texts, namesOf(plain)), size, options),
    eventAt: Float64Array.from(texts, (_, row) => row * day),
    idOrder: Uint32Array.from(texts, (_, row) => row),
  };
}

const rank = (texts: readonly string[], query: string, size = texts.length) => {
  const candidates = termCandidates(sourceOf(texts, size), query, (size - 1) * day);
  return rankFreshness(candidates, { depth: 10 });
};

describe('names', () => {
  it('are words with a capital or a digit; a capital that begins a sentence is none', () => {
    const names = (text: string) => namesOf(plain).tokenize(text);
    expect(names('Multiple flaws in Google Chrome before 80. Attackers may use log4j, iTunes or libpng.')).toEqual([
      'google',
      'chrome',
      '80',
      'log4j',
      'itunes',
    ]);
    expect(names('PHP through 7. OpenSSL too')).toEqual(['php', '7', 'openssl']);
    expect(names('Issues: Several\nOthers in version v2.Next')).toEqual(['v2', 'next']);
    expect(names('')).toEqual([]);
  });
});

describe('coverage', () => {
  const texts = [
    'The Acme Server before 2 allows problems.',
    'A problem in Acme Server leads to many problems.',
    'Buffer handling in Acme Server is wrong.',
    'Many problems exist in Other Product.',
    'Rare defects exist in Other Product.',
    'The Acme Server was changed.',
  ];

  it('weighs the words that the snapshot writes as names above rarer words that it does not', () => {
    const { weights, namenesses } = rank(texts, 'defects in acme').coverage!;
    expect(namenesses[2]).toBeGreaterThan(0.7);
    expect(namenesses[0]).toBe(0.25); // (0 + 0.5) / (1 + 1)
    expect(weights[2]).toBeGreaterThan(weights[0]!);
    expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 14);
  });

  it('ranks the newest text on the subject first, though an older one has the other words too', () => {
    const ranking = rank(texts, 'acme problems');
    expect(Array.from(ranking.rows.subarray(0, 2)).sort()).not.toContain(3);
    expect(rank(texts, 'acme server').rows[0]).toBe(5);
  });

  it('is 1 for a text with every term known to the snapshot, 0 for none, and between otherwise', () => {
    const frequencies = Uint8Array.of(1, 9, 0, 0, 0, 0, 1, 0, 0);
    const terms = {
      texts: ['a', 'b', 'unknown'],
      documentFrequencies: Uint32Array.of(2, 1, 0),
      documentCount: 10,
      frequencies,
    };
    const { shares, weights } = coverageOf(terms);
    expect(shares[0]).toBe(1);
    expect(shares[1]).toBe(0);
    expect(shares[2]).toBe(weights[0]);
    expect(weights[2]).toBe(0);
  });

  it('of a query without a known term ranks nothing (case 23)', () => {
    for (const query of ['', 'unheard', '!?']) expect(rank(texts, query).rows).toHaveLength(0);
    expect(rank([], 'acme').rows).toHaveLength(0);
  });

  it('does not see later documents: the ranking of a prefix is that of its own index (case 6)', () => {
    const word = fc.constantFrom('Acme', 'acme', 'Server', 'problems', 'in', '80');
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), fc.nat(12), text, (all, cut, query) => {
        const size = Math.min(cut, all.length);
        expect(rank(all, query, size)).toEqual(rank(all.slice(0, size), query));
      }),
    );
  });

  it('leaves out rows that are withdrawn, and counts without them (case 8)', () => {
    const dead = Uint8Array.of(0, 0, 0, 0, 0, 1);
    const candidates = termCandidates(sourceOf(texts, 6, dead), 'acme changed', 5 * day);
    expect(Array.from(candidates.rows)).toEqual([0, 1, 2]);
    expect(Array.from(candidates.terms!.documentFrequencies)).toEqual([3, 0]);
    const live = termCandidates(sourceOf(texts.slice(0, 5)), 'acme changed', 5 * day);
    expect(coverageOf(candidates.terms!)).toEqual(coverageOf(live.terms!));
  });

  it('refuses statistics that do not fit the terms', () => {
    const candidates = termCandidates(sourceOf(texts), 'acme server', 5 * day);
    const broken = (change: object) => ({ ...candidates, terms: { ...candidates.terms!, ...change } });
    for (const column of ['documentFrequencies', 'namedFrequencies'] as const) {
      expect(() => rankFreshness(broken({ [column]: new Uint32Array(1) }), { depth: 1 })).toThrow(column);
    }
    expect(() => rankFreshness(broken({ frequencies: new Uint8Array(3) }), { depth: 1 })).toThrow(/frequencies/);
  });
});
