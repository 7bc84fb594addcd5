import { type Markup, markup } from '../markup/markup.js';
import { gridLines, horizontalAxis } from './axis.js';
import { legendLine } from './legend.js';
import { chart, marker, type Tone, tagWidth, textAt, textSizes, verticalInterval } from './marks.js';
import { type Axis, linearAxis } from './scale.js';
import { boldFactor, fitText } from './textWidth.js';

export interface PanelPoint {
  /** In the units of the axis; null where it is not defined. */
  readonly mean: number | null;
  readonly interval: { readonly lower: number; readonly upper: number } | null;
}

/** One line. Lines of one tone are told apart by their pattern: dashes, and marks filled or hollow. */
export interface PanelSeries {
  readonly tone: Tone;
  readonly pattern: number;
  /** One for each place on the horizontal axis. */
  readonly points: readonly PanelPoint[];
}

export interface Panel {
  /** Two lines; an empty first one takes no room where all panels leave it empty. */
  readonly title: readonly [string, string];
  readonly tag: string | null;
  readonly series: readonly PanelSeries[];
}

/** A place on the horizontal axis: its share of the axis' length, and its label. */
export interface PanelPlace {
  readonly share: number;
  readonly label: string;
  /** No line is drawn to it from the place before: it is not the next value of the same quantity. */
  readonly isApart?: boolean;
}

export interface LinePanels {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly panels: readonly Panel[];
  readonly perRow: number;
  readonly places: readonly PanelPlace[];
  readonly horizontalLabel: string;
  readonly verticalLabel: string;
  readonly legend: readonly { readonly tone: Tone; readonly pattern: number; readonly text: string }[];
}

const fullWidth = 1056;
const axisWidth = 60;
const plotHeight = 150;
const panelGap = 28;
const lineHeight = 17;
const titleGap = 13;
const axisHeight = 54;
const inset = 16;
const { body, small } = textSizes;

/** Panels of lines with intervals, all over the same axes. */
export function linePanels(options: LinePanels): Markup {
  const { panels, places } = options;
  const perRow = Math.max(1, Math.min(options.perRow, panels.length));
  const titleLines = panels.some(({ title }) => title[0] !== '') ? 2 : 1;
  const titleHeight = titleLines * lineHeight + titleGap;
  const panelWidth = perRow === 1 ? 560 : Math.floor((fullWidth - axisWidth - (perRow - 1) * panelGap) / perRow);
  const width = perRow === 1 ? axisWidth + panelWidth : fullWidth;
  const legend = legendLine(
    options.legend.map(({ tone, pattern, text }) => ({ key: legendKey(tone, pattern), text })),
    width,
  );
  const points = panels.flatMap(({ series }) => series.flatMap((line) => line.points));
  const axis = linearAxis(
    points.flatMap(({ mean, interval }) => [mean ?? 0, interval?.lower ?? 0, interval?.upper ?? 0]),
    [plotHeight, 0],
    { tickCount: 6 },
  );
  const top = legend.height + 14;
  const rowHeight = titleHeight + plotHeight + axisHeight;
  const rows = Math.ceil(panels.length / perRow);
  const drawn = panels.map((panel, index) => {
    const column = index % perRow;
    const x = axisWidth + column * (panelWidth + panelGap);
    const y = top + Math.floor(index / perRow) * rowHeight;
    return markup`<g transform="translate(${x} ${y})">${panelAt(panel, { panelWidth, titleHeight, axis, places, isFirst: column === 0, options })}</g>`;
  });
  const { id, title, description } = options;
  return chart({ id, width, height: top + rows * rowHeight, title, description }, [...legend.content, ...drawn]);
}

interface PanelLayout {
  readonly panelWidth: number;
  readonly titleHeight: number;
  readonly axis: Axis;
  readonly places: readonly PanelPlace[];
  readonly isFirst: boolean;
  readonly options: LinePanels;
}

/** A panel with its plot from (0, titleHeight). */
function panelAt({ title, tag, series }: Panel, layout: PanelLayout): Markup {
  const { panelWidth, titleHeight, axis, places, isFirst, options } = layout;
  const across = (place: PanelPlace) => inset + place.share * (panelWidth - 2 * inset);
  const grid = gridLines(axis, (y) => markup`M0 ${y}H${panelWidth}`);
  const horizontal = horizontalAxis(places, across, plotHeight, {
    text: fitText(options.horizontalLabel, panelWidth, small),
    x: panelWidth / 2,
    y: 36,
  });
  const lines = series.map((line, index) => {
    const aside = (index - (series.length - 1) / 2) * 6;
    return seriesAt(line, places, (place) => across(place) + aside, axis);
  });
  return markup`${titleAt(title, tag, panelWidth, titleHeight)}<g transform="translate(0 ${titleHeight})">${grid}${isFirst && verticalAxis(axis, options.verticalLabel)}${horizontal}${lines}</g>`;
}

function titleAt([first, second]: Panel['title'], tag: string | null, width: number, height: number): Markup {
  const y = height - titleGap - 3;
  const above = textAt(0, y - lineHeight, fitText(first, width, body), { size: body, whole: first });
  const shown = fitText(second, (width - tagWidth(tag)) / boldFactor, body);
  return markup`${first !== '' && above}${textAt(0, y, shown, { size: body, tone: 'heading', whole: second, tag })}`;
}

function verticalAxis(axis: Axis, label: string): Markup {
  const ticks = axis.ticks.map((tick) =>
    textAt(-8, axis.scale(tick.value) + 4, fitText(tick.label, axisWidth - 26, small), {
      size: small,
      anchor: 'end',
      tone: 'muted number',
    }),
  );
  const shown = fitText(label, plotHeight, small);
  return markup`${ticks}<g transform="translate(${12 - axisWidth} ${plotHeight / 2}) rotate(-90)">${textAt(0, 0, shown, { size: small, anchor: 'middle', tone: 'muted' })}</g>`;
}

function seriesAt(
  { tone, pattern, points }: PanelSeries,
  places: readonly PanelPlace[],
  across: (place: PanelPlace) => number,
  axis: Axis,
): Markup {
  let path = '';
  const marks = points.map(({ mean, interval }, index) => {
    const place = places[index]!;
    if (mean === null) return null;
    const x = across(place);
    const y = axis.scale(mean);
    const isJoined = index > 0 && points[index - 1]!.mean !== null && !place.isApart;
    path += `${isJoined ? 'L' : 'M'}${rounded(x)} ${rounded(y)}`;
    const bar = interval && verticalInterval(tone, axis.scale(interval.lower), axis.scale(interval.upper), x);
    return markup`${bar}${marker(tone, x, y, { hollow: pattern % 2 === 1, size: 7 })}`;
  });
  return markup`<g>${path !== '' && lineOf(tone, pattern, path)}${marks}</g>`;
}

function lineOf(tone: Tone, pattern: number, path: string): Markup {
  return markup`<path class="line ${tone} pattern-${pattern % 4}" d="${path}"/>`;
}

function legendKey(tone: Tone, pattern: number): Markup {
  return markup`${lineOf(tone, pattern, 'M0 0H22')}${marker(tone, 11, 0, { hollow: pattern % 2 === 1, size: 7 })}`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
