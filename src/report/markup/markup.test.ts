import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText, printable } from './escapeText.js';
import { markup, preformatted } from './markup.js';

describe('markup', () => {
  it('escapes text, keeps markup, joins lists, leaves out nothing', () => {
    const name = `<b>"R&D's"</b>`;
    const cell = markup`<td title="${name}">${name}</td>`;
    expect(cell.text).toBe(
      '<td title="&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt;">&lt;b&gt;&quot;R&amp;D&#39;s&quot;&lt;/b&gt;</td>',
    );
    expect(markup`<tr>${[cell, null, undefined, false, 1.237, -0.001]}</tr>`.text).toBe(`<tr>${cell.text}1.240</tr>`);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('rejects %s', (value) => {
    expect(() => markup`${value}`).toThrow(/number in markup: got (NaN|-?Infinity), expected a finite number/);
  });

  it('lets no text become markup, nor turn or hide what stands around it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeText(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped).not.toMatch(/\p{Cc}|[\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        expect(escaped.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
        expect(() => encodeURIComponent(escaped)).not.toThrow();
      }),
    );
  });

  it('spells out what cannot be seen', () => {
    expect(printable('a\u202eb\u0000c\ud800d\ne')).toBe('a\\u{202E}b\\u{0}c\\u{D800}d\\u{A}e');
    expect(printable('שלום 😀')).toBe('שלום 😀');
    expect(preformatted('a: <b>\n\tc\u0007').text).toBe('a: &lt;b&gt;\n\tc\\u{7}');
  });
});
