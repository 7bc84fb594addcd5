import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '../errors/InvalidInputError.js';
import { buildRequests } from './buildRequests.js';
import { buildCorpus } from './corpus.js';
import { noneDropped } from './dropped.js';
import { productOf } from './products.js';

const corpus = buildCorpus([
  { id: 'b', type: 'text', text: 'second', availableAt: 2 },
  { id: 'a', type: 'text', text: 'first', availableAt: 3 },
  { id: 'c', type: 'table', table: { header: ['x'], rows: [] }, availableAt: 1 },
]);

describe('buildRequests', () => {
  it('puts requests in id order and their products, as ascending corpus rows, apart', () => {
    const { requests, products, sources } = buildRequests(
      [
        { id: 'q2', text: 'two', gold: ['a', 'c'], observedAt: 20, feedbackAt: 25 },
        { id: 'q10', text: 'ten', gold: ['b'], observedAt: 10 },
        { id: 'Q3', text: 'three', gold: ['a'] },
      ],
      corpus,
    );
    expect(requests.ids).toEqual(['Q3', 'q10', 'q2']);
    expect(requests.texts).toEqual(['three', 'ten', 'two']);
    expect([...requests.observedAt]).toEqual([Number.NaN, 10, 20]);
    expect([...requests.feedbackAt]).toEqual([Number.NaN, 10, 25]);
    expect([...sources]).toEqual([2, 1, 0]);
    // Availability order of the corpus is c, b, a.
    expect([0, 1, 2].map((request) => [...productOf(products, request)])).toEqual([[2], [1], [0, 2]]);
    expect(Object.keys(requests)).not.toContain('gold');
  });

  it('counts a gold id that is named twice once', () => {
    const { products } = buildRequests([{ id: 'q', text: 't', gold: ['a', 'b', 'a'] }], corpus);
    expect([...productOf(products, 0)]).toEqual([1, 2]);
  });

  it('makes no requests of no records', () => {
    const { requests, products } = buildRequests([], corpus);
    expect(requests.size).toBe(0);
    expect([...products.offsets]).toEqual([0]);
  });

  it.each([
    ['a gold id that is not in the corpus', { gold: ['a', 'zz'] }, /row 1: gold\[1\]: got "zz".*request "q"/],
    ['an empty product', { gold: [] }, /row 1: gold: got \[\].*product of request "q"/],
    ['a request without text', { text: ' \n' }, /row 1: text: .*text of request "q"/],
    ['feedback before its request', { observedAt: 10, feedbackAt: 9 }, /row 1: feedbackAt: .*1970-01-01T00:00:00.010Z/],
    ['feedback without the time of the request', { feedbackAt: 9 }, /row 1: feedbackAt: .*beside observedAt/],
  ])('refuses %s, by name (case 26)', (_rule, change, message) => {
    expect(() => buildRequests([{ id: 'q', text: 't', gold: ['a'], ...change }], corpus)).toThrow(message);
  });

  it('refuses an id that came before, and says where (case 26)', () => {
    const records = [
      { id: 'q', text: 'one', gold: ['a'] },
      { id: 'q', text: 'two', gold: ['b'] },
    ];
    const locate = (index: number) => ({ file: 'requests.jsonl', line: index + 7 });
    expect(() => buildRequests(records, corpus, { locate })).toThrow(
      /^requests\.jsonl:8: id: got "q", expected .*first at requests\.jsonl:7/,
    );
  });

  it('leaves out what `reject` lets pass, and keeps the first of two with one id', () => {
    const dropped = noneDropped();
    const { requests } = buildRequests(
      [
        { id: 'no text', text: '', gold: ['a'] },
        { id: 'twice', text: 'kept', gold: ['a'] },
        { id: 'twice', text: 'left out', gold: ['a'] },
        { id: 'empty', text: 't', gold: [] },
        { id: 'unknown', text: 't', gold: ['zz'] },
      ],
      corpus,
      {
        reject: (reason, error) => {
          expect(error).toBeInstanceOf(InvalidInputError);
          dropped[reason]++;
        },
      },
    );
    expect(requests.texts).toEqual(['kept']);
    expect(dropped).toEqual({
      ...noneDropped(),
      requestWithoutText: 1,
      duplicateRequest: 1,
      emptyProduct: 1,
      unknownGold: 1,
    });
  });

  it('numbers what a request was made from, each once, in the order listed', () => {
    const { requests } = buildRequests(
      [
        { id: 'summary', text: 't', gold: ['a'], dependsOn: ['q2', 'q1', 'q2'] },
        { id: 'q1', text: 't', gold: ['a'] },
        { id: 'q2', text: 't', gold: ['a'], dependsOn: ['q1'] },
      ],
      corpus,
    );
    expect(requests.ids).toEqual(['q1', 'q2', 'summary']);
    expect([...requests.dependsOn.offsets]).toEqual([0, 0, 1, 3]);
    expect([...requests.dependsOn.requests]).toEqual([0, 1, 0]);
  });

  it('refuses a dependency that is not there, on itself, or in a circle', () => {
    const request = (id: string, ...dependsOn: string[]) => ({ id, text: 't', gold: ['a'], dependsOn });
    expect(() => buildRequests([request('p'), request('q', 'p', 'x')], corpus)).toThrow(
      /row 2: dependsOn\[1\]: got "x".*request "q" was made from/,
    );
    expect(() => buildRequests([request('p'), request('q', 'q')], corpus)).toThrow(/row 2: dependsOn: got \["q"\]/);
    expect(() => buildRequests([request('p', 'r'), request('q', 'p'), request('r', 'q')], corpus)).toThrow(
      /row 1: dependsOn: .*depend on itself/,
    );
  });

  it('leaves out all that depends, over any number of steps, on what was left out', () => {
    const dropped = noneDropped();
    const request = (id: string, ...dependsOn: string[]) => ({ id, text: 't', gold: ['a'], dependsOn });
    const { requests } = buildRequests(
      [
        { ...request('lost'), gold: [] },
        request('a', 'lost'),
        request('c', 'b'),
        request('b', 'a', 'fine'),
        request('fine'),
        request('x', 'y'),
        request('y', 'x'),
        request('z', 'x'),
      ],
      corpus,
      { reject: (reason) => dropped[reason]++ },
    );
    expect(requests.ids).toEqual(['fine']);
    expect(dropped).toEqual({ ...noneDropped(), emptyProduct: 1, malformed: 2, unknownDependency: 4 });
  });

  it('does not depend on the order of the records', () => {
    const record = fc.record({
      text: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
      gold: fc.subarray(['a', 'b', 'c'], { minLength: 1 }),
      observedAt: fc.integer(),
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), record), fc.infiniteStream(fc.nat()), (byId, keys) => {
        const records = Object.entries(byId).map(([id, rest]) => ({ id, ...rest }));
        const shuffled = records
          .map((item) => ({ item, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ item }) => item);
        const { sources: _, ...expected } = buildRequests(records, corpus);
        const { sources: __, ...actual } = buildRequests(shuffled, corpus);
        expect(actual).toEqual(expected);
      }),
    );
  });
});
