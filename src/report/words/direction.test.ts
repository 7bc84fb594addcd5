import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isolated, stretchesOf } from './direction.js';

const shown = (text: string) => isolated(text).replaceAll('\u2068', '<').replaceAll('\u2069', '>');

describe('stretchesOf', () => {
  it('keeps every character, in order, whatever the text', () => {
    const texts = fc.array(fc.constantFrom('a', ' ', 'שלום', 'نص', '5', ',', '(', ')', '·', '\n', '-', '  '));
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.join('');
        expect(
          stretchesOf(text)
            .map((stretch) => stretch.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });
});

describe('isolated', () => {
  it('leaves text that is written from left to right as it is', () => {
    expect(isolated('tatqa  random  bm25\n')).toBe('tatqa  random  bm25\n');
  });

  it('sets names apart from the numbers and marks beside them', () => {
    expect(shown('מסמך  56.09  -13.80')).toBe('<מסמך>  56.09  -13.80');
    expect(shown('Replayed on מסמך ישן (5 assets), تقرير and module,שלום;')).toBe(
      'Replayed on <מסמך ישן> (5 assets), <تقرير> and module,<שלום>;',
    );
  });

  it('keeps numbers that lie within a name, and none after it', () => {
    expect(shown('מסמך 5 ישן 12')).toBe('<מסמך 5 ישן> 12');
  });

  it('keeps names apart that a word or two spaces part', () => {
    expect(shown('א and ב  ג')).toBe('<א> and <ב>  <ג>');
  });
});
