import { type Fragment, type Markup, markup } from '../markup/markup.js';
import { stretchesOf } from '../words/direction.js';
import { textWidth } from './textWidth.js';

/** What a mark stands for; the page's style gives each tone its colour, the same in every chart. */
export type Tone = 'pit' | 'future';

/** Tones differ in shape as well: circles say hindsight, squares PIT memory, in black and white too. */
export function marker(tone: Tone, x: number, y: number, { hollow = false, size = 8 } = {}): Markup {
  const classes = `mark ${tone}${hollow ? ' hollow' : ''}`;
  if (tone === 'future') return markup`<circle class="${classes}" cx="${x}" cy="${y}" r="${size / 2}"/>`;
  const side = size * 0.9;
  return markup`<rect class="${classes}" x="${x - side / 2}" y="${y - side / 2}" width="${side}" height="${side}"/>`;
}

/** A horizontal interval with small caps. */
export function horizontalInterval(tone: Tone, lower: number, upper: number, y: number): Markup {
  return markup`<path class="interval ${tone}" d="M${lower} ${y - 3}V${y + 3}M${lower} ${y}H${upper}M${upper} ${y - 3}V${y + 3}"/>`;
}

/** A vertical interval with small caps. */
export function verticalInterval(tone: Tone, lower: number, upper: number, x: number): Markup {
  return markup`<path class="interval ${tone}" d="M${x - 2.5} ${lower}H${x + 2.5}M${x} ${lower}V${upper}M${x - 2.5} ${upper}H${x + 2.5}"/>`;
}

export interface TextOptions {
  readonly size: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  /** Classes of the page's style, such as `muted`. */
  readonly tone?: string;
  /** The whole text where `text` is cut. */
  readonly whole?: string;
  /** A word in brackets after the text, such as `[oracle]`. */
  readonly tag?: string | null;
}

const tagGap = 6;

/** A line of text with its baseline at y. */
export function textAt(x: number, y: number, text: string, options: TextOptions): Markup {
  const { size, anchor = 'start', tone = 'ink', whole, tag = null } = options;
  const title = whole !== undefined && whole !== text ? markup`<title>${whole}</title>` : null;
  const suffix =
    tag !== null && markup`<tspan class="tag" dx="${tagGap}" font-size="${textSizes.small}">[${tag}]</tspan>`;
  return markup`<text class="${tone}" x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}">${title}${isolatedSpans(text)}${suffix}</text>`;
}

/** Names that run from right to left, kept apart from what stands beside them in the line. */
function isolatedSpans(text: string): Fragment {
  return stretchesOf(text).map((stretch) =>
    stretch.isRightToLeft ? markup`<tspan unicode-bidi="isolate">${stretch.text}</tspan>` : stretch.text,
  );
}

/** Sizes of a chart's text, in pixels. */
export const textSizes = { body: 12.5, small: 11.5 } as const;

/** Room that a tag takes after its label, in pixels. */
export function tagWidth(tag: string | null): number {
  return tag === null ? 0 : tagGap + textWidth(`[${tag}]`, textSizes.small);
}

export interface ChartFrame {
  /** Unique in the page. */
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** What the chart shows, for those who cannot see it. */
  readonly description: string;
}

/** The chart as one image with a title and a description. */
export function chart({ id, width, height, title, description }: ChartFrame, content: readonly Markup[]): Markup {
  return markup`<svg class="chart" role="img" aria-labelledby="${id}-title ${id}-description" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg"><title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc>${content.map((part) => markup`\n${part}`)}\n</svg>`;
}
