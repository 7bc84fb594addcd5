import type { CellSketch } from './sketches.js';

/** Texts that try to be markup, to leave an attribute or a cell, or to turn round what stands beside them. */
export const hostileTexts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onload='alert(1)",
  '</style><svg/onload=alert(1)>',
  '&lt;b&gt;&amp;',
  '| a | b |\n| --- | --- |',
  '[click](javascript:alert(1)) `code` **bold** <u>',
  '\u202eevil\u202c \u2066x\u2069',
  'מסמך מס׳ 5 (ישן)',
  'تقرير "سري" <1>',
  '\u0000\u001b[31m\u2028\ud800',
  ']]>--><!--',
];

/** Cells whose every name is hostile. */
export function hostileCells(): CellSketch[] {
  return hostileTexts.map((text, index) => ({
    key: {
      domain: text,
      stream: hostileTexts[(index + 1) % hostileTexts.length]!,
      retriever: hostileTexts[(index + 2) % hostileTexts.length]!,
      mechanism: hostileTexts[(index + 3) % hostileTexts.length]!,
      mechanismUsesGold: index % 2 === 0,
    },
    anchors: 8,
    requests: 4,
    types: ['table', ...hostileTexts.slice(0, 7)],
  }));
}
