import { type Markup, markup } from '../markup/markup.js';
import { chart, textAt, textSizes } from './marks.js';
import { textWidth } from './textWidth.js';

export interface HeatMap {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly rowLabel: string;
  readonly rows: readonly string[];
  readonly columnLabel: string;
  readonly columns: readonly string[];
  /** [rows x columns] row-major, in 0..1; null where not defined. */
  readonly values: readonly (number | null)[];
}

/** Style of heat maps, beside the page's. */
export const heatMapStyle = `
.chart .heat{fill:var(--pit)}
.chart .best{fill:none;stroke:var(--ink);stroke-width:1.5}
`;

const cell = { width: 68, height: 30, gap: 2 } as const;
const { body, small } = textSizes;
/** Lightest and darkest shade: the value printed on it can be read on both. */
const shades = [0.04, 0.6] as const;

/** A grid of shares: darker is higher, from the least to the greatest of the map; the value stands in each cell, and the best are framed. */
export function heatMap({ id, title, description, rowLabel, rows, columnLabel, columns, values }: HeatMap): Markup {
  const defined = values.filter((value) => value !== null);
  const least = Math.min(...defined);
  const best = Math.max(...defined);
  const left = Math.max(textWidth(rowLabel, small), ...rows.map((label) => textWidth(label, body))) + 14;
  const top = 40;
  const step = { x: cell.width + cell.gap, y: cell.height + cell.gap };
  const cells = values.map((value, at) => {
    const x = left + (at % columns.length) * step.x;
    const y = top + Math.floor(at / columns.length) * step.y;
    const share = value === null || best === least ? 0 : (value - least) / (best - least);
    const shade = (shades[0] + share * (shades[1] - shades[0])).toFixed(3);
    const frame = markup`x="${x}" y="${y}" width="${cell.width}" height="${cell.height}"`;
    return markup`<rect class="heat" fill-opacity="${shade}" ${frame}/>${
      value === best && markup`<rect class="best" ${frame}/>`
    }${textAt(x + cell.width / 2, y + cell.height / 2 + 4.5, value === null ? '–' : value.toFixed(3), {
      size: body,
      anchor: 'middle',
      tone: value === null ? 'muted' : 'ink',
    })}`;
  });
  const columnLabels = columns.map((label, at) =>
    textAt(left + at * step.x + cell.width / 2, top - 8, label, { size: body, anchor: 'middle' }),
  );
  const rowLabels = rows.map((label, at) =>
    textAt(left - 10, top + at * step.y + cell.height / 2 + 4.5, label, { size: body, anchor: 'end' }),
  );
  const axes = [
    textAt(left - 10, top - 8, rowLabel, { size: small, anchor: 'end', tone: 'muted' }),
    textAt(left, 14, columnLabel, { size: small, tone: 'muted' }),
  ];
  const width = left + columns.length * step.x;
  const height = top + rows.length * step.y;
  return chart({ id, width, height, title, description }, [...axes, ...columnLabels, ...rowLabels, ...cells]);
}
