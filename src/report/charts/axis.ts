import { type Markup, markup } from '../markup/markup.js';
import { textAt, textSizes } from './marks.js';
import { type Axis, thinned } from './scale.js';
import { textWidth } from './textWidth.js';

const { small } = textSizes;

/**
 * A line across the plot at every tick, the one at zero marked.
 * @param pathAt path of the line at a tick's pixel
 */
export function gridLines({ ticks, scale }: Axis, pathAt: (at: number) => Markup): Markup {
  return markup`${ticks.map(({ value }) => markup`<path class="${value === 0 ? 'zero' : 'grid'}" d="${pathAt(scale(value))}"/>`)}`;
}

/** What stands on an axis: ticks, or places with labels of their own. */
interface Labelled {
  readonly label: string;
}

/**
 * Labels under a horizontal axis, centred on their places, and the axis' own below them; labels that would run into others
 * are left out.
 * @param y of the axis
 */
export function horizontalAxis<T extends Labelled>(
  items: readonly T[],
  place: (item: T) => number,
  y: number,
  title: { readonly text: string; readonly x: number; readonly y: number },
): Markup {
  const labels = thinned(items, place, ({ label }) => textWidth(label, small)).map((item) =>
    textAt(place(item), y + 18, item.label, { size: small, anchor: 'middle', tone: 'muted number' }),
  );
  return markup`${labels}${textAt(title.x, y + title.y, title.text, { size: small, anchor: 'middle', tone: 'muted' })}`;
}
