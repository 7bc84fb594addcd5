/**
 * Widths of characters in ems, by kind. Charts are made where no font is at hand, so these follow DejaVu Sans, the widest
 * of the usual sans-serif fonts: text may turn out narrower than reckoned, hardly wider.
 */
const kinds: readonly (readonly [RegExp, number])[] = [
  [/\p{M}|\p{Cf}/u, 0],
  [/[iljI.,:;'|![\]() ·]/u, 0.4],
  [/[mwMW@%—…]/u, 1],
  [/[+\u2212=<>≥≤~^]/u, 0.84],
  [/[A-Z&#]/u, 0.75],
  [/[ -~]/u, 0.64],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff00-\uffef]|\p{Extended_Pictographic}/u,
    1.1,
  ],
];

/** Bold text is about this much wider. */
export const boldFactor = 1.1;

/** About how wide a text is, in pixels, and rather too wide than too narrow. */
export function textWidth(text: string, fontSize: number): number {
  let ems = 0;
  for (const character of text) ems += kinds.find(([kind]) => kind.test(character))?.[1] ?? 0.8;
  return ems * fontSize;
}

/** The text, or as much of its beginning as fits with an ellipsis. */
export function fitText(text: string, width: number, fontSize: number): string {
  // Room reckoned as a sum of widths may be short by a rounding error.
  if (textWidth(text, fontSize) <= width + 0.01) return text;
  const characters = Array.from(text);
  while (characters.length > 0 && textWidth(`${characters.join('')}…`, fontSize) > width) characters.pop();
  return `${characters.join('')}…`;
}
