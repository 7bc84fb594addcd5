import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { millisecondsPerDay as day } from '../../time/instant.js';
import { namenessOf, namesOf } from '../analysis/names.js';
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
  const names = (text: string) => namesOf(plain).tokenize(text);

  it('are words with a capital or a digit; a capital that begins a sentence is undecided', () => {
    expect(names('Multiple flaws in Google Chrome before 80. Attackers may use log4j, iTunes or libpng.')).toEqual([
      'google',
      'chrome',
      '80',
      'log4j',
      'itunes',
      '^multiple',
      '^attackers',
    ]);
    expect(names('PHP through 7. OpenSSL too')).toEqual(['php', '7', 'openssl']);
    expect(names('Issues: Several\nOthers make much use of v2.Next')).toEqual([
      'use',
      'of',
      'v2',
      'next',
      '^issues',
      '^several',
      '^others',
    ]);
    expect(names('')).toEqual([]);
  });

  it('are words that a version follows, at most one word later', () => {
    expect(names('a hole in libxslt 1.1.33 and others')).toEqual(['in', 'libxslt', '1', '33']);
    expect(names('in curl before 7.x, or 8')).toEqual(['curl', 'before', '7', '8']);
    expect(names('baijiacms V4, foo through 2019-08-21')).toEqual([
      'baijiacms',
      'v4',
      'foo',
      'through',
      '2019',
      '08',
      '21',
    ]);
    expect(names('curl, 7.1 and many more words 80')).toEqual(['7', '1', '80']);
  });

  it('are undecided only where nothing else in the text decides', () => {
    expect(names('Acme fails. Is Acme bad?')).toEqual(['acme', '^is']);
    expect(names('Problems are problems.')).toEqual([]);
  });

  it('are counted among the documents that decide, one half where none does', () => {
    const texts = ['Portainer leaks.', 'Portainer fails.', 'a portainer', 'in Portainer', 'problems'];
    const { snapshot, names } = sourceOf(texts);
    expect(namenessOf('portainer', snapshot, names)).toBe((1 + 0.5) / (2 + 1));
    expect(namenessOf('leaks', snapshot, names)).toBe(1 / 4);
    expect(namenessOf('unheard', snapshot, names)).toBe(1 / 2);
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
    const others = Array.from({ length: 40 }, (_, at) => `Something else ${at}.`);
    const { weights, namenesses } = rank([...texts, ...others], 'defects in acme').coverage!;
    expect(namenesses[2]).toBe(0.9); // (4 + 0.5) / (4 + 1)
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
    const word = fc.constantFrom('Acme', 'acme', 'Server', 'acmeserver', 'SD', '212', 'sd212', 'in', '80.1', 'servers');
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), fc.nat(12), text, (all, cut, query) => {
        const size = Math.min(cut, all.length);
        expect(rank(all, query, size)).toEqual(rank(all.slice(0, size), query));
      }),
    );
  });

  it.each([
    ['open xchange', ['OpenXchange fails', 'Open-Xchange fails']],
    ['openxchange', ['Open Xchange fails', 'Open-Xchange fails']],
    ['open_xchange', ['OpenXchange fails', 'Open-Xchange fails']],
    ['sd212', ['the SD 212 fails', 'the SD-212 fails']],
    ['SD 212', ['the SD212 fails', 'the SD-212 fails']],
    ["what's wrong with acmes", ['An Acme fails', 'an acme']],
  ])('reads %s however texts write it', (query, held) => {
    const ranking = rank([...held, 'a text of its own that has 212', 'xchange'], query);
    expect(Array.from(ranking.rows.filter((row) => row < 2)).sort()).toEqual([0, 1]);
    expect(ranking.relevances[0]).toBe(1);
  });

  it('takes a word apart only where no text has it, and joins only what some text has', () => {
    expect(Array.from(rank(['SD 212', 'sd212'], 'sd212').rows)).toEqual([1]);
    expect(Array.from(rank(['SD', '212'], 'sd212').rows)).toEqual([]);
    expect(rank(['open', 'xchange'], 'open xchange').coverage!.weights).toHaveLength(2);
  });

  it('cuts a word where letters meet digits before anywhere else, and never within a number or a character', () => {
    expect(Array.from(rank(['v3 firm', 'v 3 firm', 'ab3 c'], 'ab3').rows)).toEqual([2]);
    expect(Array.from(rank(['18 03'], '1803').rows)).toEqual([]);
    expect(Array.from(rank(['\u{20000}a b\u{20000}'], '\u{20000}ab\u{20000}').rows)).toEqual([0]);
  });

  it('counts what newer forms add to the documents of a term', () => {
    const { terms } = termCandidates(sourceOf(['openxchange', 'open xchange', 'open']), 'open xchange', 5 * day);
    expect(Array.from(terms!.documentFrequencies)).toEqual([3, 2]);
    expect(Array.from(terms!.frequencies)).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it('multiplies relevance and recency: what is less than alpha times as relevant never wins', () => {
    const ranking = rank(texts, 'acme server');
    for (const [at, score] of ranking.scores.entries()) {
      expect(score).toBe(ranking.relevances[at]! * (0.5 + (1 - 0.5) * ranking.decays[at]!));
    }
    const frequencies = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.nat(3000)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(frequencies, fc.double({ min: 0, max: 1, noNaN: true }), (items, alpha) => {
        const candidates = {
          asOf: 3000 * day,
          rows: Uint32Array.from(items.keys()),
          ties: Uint32Array.from(items.keys()),
          eventAt: Float64Array.from(items, ([, , age]) => age * day),
          terms: {
            texts: ['a', 'b'],
            documentFrequencies: Uint32Array.of(3, 1),
            documentCount: 9,
            frequencies: Uint8Array.from(items.flatMap(([a, b]) => [Number(a), Number(b)])),
          },
        };
        const { relevances } = rankFreshness(candidates, { depth: 8, alpha });
        expect(relevances[0]).toBeGreaterThanOrEqual(alpha * Math.max(...relevances) - 1e-12);
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
    for (const column of ['documentFrequencies', 'namenesses'] as const) {
      expect(() => rankFreshness(broken({ [column]: new Uint32Array(1) }), { depth: 1 })).toThrow(column);
    }
    expect(() => rankFreshness(broken({ frequencies: new Uint8Array(3) }), { depth: 1 })).toThrow(/frequencies/);
  });
});
