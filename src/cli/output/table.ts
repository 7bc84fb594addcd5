import { visible } from './visible.js';

/** How a column is aligned: numbers to the right. */
export type Alignment = 'left' | 'right';

export interface TableOptions {
  readonly header?: readonly string[] | undefined;
  /** Of each column; `left` where nothing is said. */
  readonly alignments?: readonly Alignment[] | undefined;
  /** Styles the cells of the header, once they are padded. */
  readonly styleHeader?: ((text: string) => string) | undefined;
}

/**
 * Lines up rows of cells in columns two spaces apart, without trailing spaces, each line ended. Width is counted in
 * characters (code points), which is right for all but wide scripts. Controls in cells are shown as escapes.
 */
export function formatTable(rows: readonly (readonly string[])[], options: TableOptions = {}): string {
  const shown = rows.map((row) => row.map((cell) => visible(cell)));
  const all = options.header === undefined ? shown : [options.header, ...shown];
  const widths: number[] = [];
  for (const row of all) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  const lines = all.map((row, index) => {
    const cells = row.map((cell, column) => {
      const padding = ' '.repeat(widths[column]! - widthOf(cell));
      return options.alignments?.[column] === 'right' ? padding + cell : cell + padding;
    });
    const line = cells.join('  ').trimEnd();
    return index === 0 && options.header !== undefined ? (options.styleHeader?.(line) ?? line) : line;
  });
  return lines.map((line) => `${line}\n`).join('');
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
