import { type Markup, markup } from '../markup/markup.js';
import { gridLines, horizontalAxis } from './axis.js';
import { legendLine } from './legend.js';
import { chart, horizontalInterval, marker, type Tone, tagWidth, textAt, textSizes } from './marks.js';
import { type Axis, linearAxis } from './scale.js';
import { boldFactor, fitText, textWidth } from './textWidth.js';

export interface ForestMark {
  readonly tone: Tone;
  /** In the units of the axis; null where it is not defined. */
  readonly mean: number | null;
  readonly interval: { readonly lower: number; readonly upper: number } | null;
  /** Printed at the end of the line, in two columns: `+3.62` and `[3.01, 4.26]`. */
  readonly text: readonly [mean: string, interval: string];
}

export interface ForestLabel {
  readonly text: string;
  readonly tag: string | null;
}

export interface ForestRow {
  /** One for each column. */
  readonly labels: readonly ForestLabel[];
  /** One line each. */
  readonly marks: readonly ForestMark[];
}

export interface ForestPlot {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly columns: readonly string[];
  /** Groups with a heading each; an empty heading takes no room. */
  readonly groups: readonly { readonly heading: string; readonly rows: readonly ForestRow[] }[];
  readonly legend: readonly { readonly tone: Tone; readonly text: string }[];
  readonly axisLabel: string;
  readonly valueHeader: string;
  /** What lies left and right of zero. */
  readonly sides: readonly [string, string];
}

const lineHeight = 16;
const rowGap = 12;
const headingHeight = 30;
const columnGap = 18;
const widestLabel = 210;
const narrowestPlot = 340;
const usualWidth = 1056;
const valueGap = 7;
const axisHeight = 46;
const { body, small } = textSizes;

/** Intervals of several estimates for each row, over one axis, with their values beside them. */
export function forestPlot(plot: ForestPlot): Markup {
  const rows = plot.groups.flatMap((group) => group.rows);
  const marks = rows.flatMap((row) => row.marks);
  const columnWidths = plot.columns.map((header, column) =>
    Math.min(widestLabel, Math.max(textWidth(header, small), ...rows.map((row) => labelWidth(row.labels[column]!)))),
  );
  const plotLeft = columnWidths.reduce((sum, width) => sum + width + columnGap, 0) + 8;
  const meanWidth = Math.max(0, ...marks.map(({ text }) => textWidth(text[0], body)));
  const intervalWidth = Math.max(0, ...marks.map(({ text }) => textWidth(text[1], body)));
  const valueWidth = Math.max(textWidth(plot.valueHeader, small), meanWidth + valueGap + intervalWidth);
  const width = Math.ceil(Math.max(usualWidth, plotLeft + narrowestPlot + 24 + valueWidth));
  const valueLeft = width - valueWidth;
  const plotRight = valueLeft - 24;
  const axis = linearAxis(
    marks.flatMap(({ mean, interval }) => [mean ?? 0, interval?.lower ?? 0, interval?.upper ?? 0]),
    [plotLeft, plotRight],
  );
  const layout = { columnWidths, axis, plotLeft, plotRight, valueLeft, meanRight: valueLeft + meanWidth };

  const legend = legendLine(
    plot.legend.map(({ tone, text }) => ({ key: marker(tone, 11, 0), text })),
    width,
  );
  const headerY = legend.height + 22;
  const content: Markup[] = [];
  let y = headerY + 12;
  const top = y;
  for (const group of plot.groups) {
    if (group.heading !== '') {
      content.push(headingAt(y, group.heading, width));
      y += headingHeight;
    }
    for (const [index, row] of group.rows.entries()) {
      content.push(rowAt(row, group.rows[index - 1], y, layout));
      y += row.marks.length * lineHeight + rowGap;
    }
  }
  const bottom = y;
  return chart({ id: plot.id, width, height: bottom + axisHeight, title: plot.title, description: plot.description }, [
    ...legend.content,
    headerLine(plot, headerY, layout),
    gridLines(axis, (x) => markup`M${x} ${top}V${bottom}`),
    ...content,
    horizontalAxis(axis.ticks, ({ value }) => axis.scale(value), bottom, {
      text: plot.axisLabel,
      x: (plotLeft + plotRight) / 2,
      y: 38,
    }),
  ]);
}

interface Layout {
  readonly columnWidths: readonly number[];
  readonly axis: Axis;
  readonly plotLeft: number;
  readonly plotRight: number;
  readonly valueLeft: number;
  /** Where the column of means ends: they line up there, digit under digit. */
  readonly meanRight: number;
}

function labelWidth({ text, tag }: ForestLabel): number {
  return textWidth(text, body) + tagWidth(tag);
}

function headerLine(plot: ForestPlot, y: number, layout: Layout): Markup {
  const { columnWidths, axis, plotLeft, plotRight, valueLeft } = layout;
  const options = { size: small, tone: 'muted' } as const;
  let x = 0;
  const headers = plot.columns.map((header, column) => {
    const drawn = textAt(x, y, header, options);
    x += columnWidths[column]! + columnGap;
    return drawn;
  });
  const zero = axis.scale(0);
  const [left, right] = plot.sides;
  const sides = [
    zero - 10 - textWidth(left, small) >= plotLeft ? textAt(zero - 10, y, left, { ...options, anchor: 'end' }) : null,
    zero + 10 + textWidth(right, small) <= plotRight ? textAt(zero + 10, y, right, options) : null,
  ];
  return markup`${headers}${sides}${textAt(valueLeft, y, plot.valueHeader, options)}`;
}

function headingAt(y: number, heading: string, width: number): Markup {
  const shown = fitText(heading, width / boldFactor, body);
  return markup`<path class="rule" d="M0 ${y + 4}H${width}"/>${textAt(0, y + 23, shown, { size: body, tone: 'heading', whole: heading })}`;
}

function rowAt(row: ForestRow, above: ForestRow | undefined, y: number, layout: Layout): Markup {
  const { columnWidths, axis } = layout;
  const baseline = y + 4 + (row.marks.length * lineHeight) / 2;
  let x = 0;
  // A label that repeats the one above, as do all those before it, is left out: as in the paper's Table 5.
  let repeats = above !== undefined;
  const labels = row.labels.map((label, column) => {
    const isLast = column === row.labels.length - 1;
    repeats &&= label.text === above!.labels[column]!.text;
    const drawn = repeats && !isLast ? null : labelAt(label, x, baseline, columnWidths[column]!);
    x += columnWidths[column]! + columnGap;
    return drawn;
  });
  const marks = row.marks.map((mark, line) => {
    const middle = y + lineHeight * (line + 0.5);
    return markup`<g>${markAt(mark, middle, axis)}${valueAt(mark, middle + 4.5, layout)}</g>`;
  });
  return markup`<g>${labels}${marks}</g>`;
}

function labelAt(label: ForestLabel, x: number, y: number, width: number): Markup {
  const shown = fitText(label.text, width - tagWidth(label.tag), body);
  return textAt(x, y, shown, { size: body, whole: label.text, tag: label.tag });
}

function markAt({ tone, mean, interval }: ForestMark, y: number, axis: Axis): Markup | null {
  if (mean === null) return null;
  const line = interval && horizontalInterval(tone, axis.scale(interval.lower), axis.scale(interval.upper), y);
  return markup`${line}${marker(tone, axis.scale(mean), y, { hollow: interval === null })}`;
}

function valueAt({ text: [mean, interval] }: ForestMark, y: number, { meanRight }: Layout): Markup {
  const options = { size: body, tone: 'number' } as const;
  return markup`${textAt(meanRight, y, mean, { ...options, anchor: 'end' })}${interval !== '' && textAt(meanRight + valueGap, y, interval, options)}`;
}
