import { type Markup, markup } from '../markup/markup.js';
import { textAt, textSizes } from './marks.js';
import { textWidth } from './textWidth.js';

/** A mark, drawn around (11, 0) in a box 22 wide, and what it stands for. */
export interface LegendEntry {
  readonly key: Markup;
  readonly text: string;
}

const keyWidth = 28;
const entryGap = 16;
const lineHeight = 20;

/** Legend entries from the top left on, in as many lines as they need. */
export function legendLine(entries: readonly LegendEntry[], width: number): { height: number; content: Markup[] } {
  let x = 0;
  let y = 14;
  const content = entries.map(({ text, key }) => {
    const needed = keyWidth + textWidth(text, textSizes.small);
    if (x > 0 && x + needed > width) {
      x = 0;
      y += lineHeight;
    }
    const label = textAt(x + keyWidth, y, text, { size: textSizes.small });
    const drawn = markup`<g><g transform="translate(${x} ${y - 4})">${key}</g>${label}</g>`;
    x += needed + entryGap;
    return drawn;
  });
  return { height: entries.length === 0 ? 0 : y, content };
}
