import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { canonicalJson } from './canonicalJson.js';

describe('canonicalJson', () => {
  it('orders keys by code units, so that upper case precedes lower and a surrogate pair precedes U+FB33', () => {
    expect(canonicalJson({ b: 1, B: 2, '\ufb33': 3, '\u{1f600}': 4, '': 5 })).toBe(
      '{"":5,"B":2,"b":1,"\u{1f600}":4,"\ufb33":3}',
    );
  });

  it('writes numbers as RFC 8785 appendix B does', () => {
    expect(canonicalJson([Number('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27, -0, 5e-324, 2 ** 53])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,5e-324,9007199254740992]',
    );
  });

  it('escapes only what JSON must escape', () => {
    expect(canonicalJson('€$\u000f\nA\'B"\\\u2028/')).toBe('"€$\\u000f\\nA\'B\\"\\\\\u2028/"');
  });

  it('does not depend on the order of insertion, and JSON.parse gives the value back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        const entries = Object.entries(value);
        expect(canonicalJson(Object.fromEntries(entries.toReversed()))).toBe(text);
      }),
    );
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: null })).toBe('{"b":null}');
  });

  it.each([
    ['NaN', { a: [Number.NaN] }, '$.a[0]'],
    ['an infinity', { a: { b: Number.POSITIVE_INFINITY } }, '$.a.b'],
    ['a bigint', [1n], '$[0]'],
    ['a function', { f: () => 0 }, '$.f'],
    ['undefined in an array', [undefined], '$[0]'],
    ['a hole in an array', new Array(1), '$[0]'],
    ['a Date', { at: new Date(0) }, '$.at'],
    ['a Map', { m: new Map([[1, 2]]) }, '$.m'],
    ['a typed array', { t: new Uint8Array(2) }, '$.t'],
  ])('refuses %s, which JSON would lose, and names its path', (_, value, path) => {
    expect(() => canonicalJson(value)).toThrow(InvalidArgumentError);
    expect(() => canonicalJson(value)).toThrow(`${path}: got `);
  });
});
