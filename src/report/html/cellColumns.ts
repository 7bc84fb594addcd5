import type { CellKey } from '../../replay/rows/cellRows.js';
import { type CellDimension, tagOf } from '../cellNames.js';
import { type Fragment, type Markup, markup } from '../markup/markup.js';
import { allCells, type Report } from '../report.js';
import { capitalised } from '../words/phrases.js';
import { type TableColumn, taggedText } from './table.js';

/** Columns that name a cell: the dimensions in which the run's cells differ. */
export function cellColumns({ varying }: Report): TableColumn[] {
  return varying.map((dimension) => ({ label: capitalised(dimension) }));
}

/** What the cells have in common, for captions: ` All cells: tatqa, random, bm25.` */
export function sharedDimensions(report: Report): Markup | null {
  const first = allCells(report)[0];
  if (first === undefined) return null;
  const { key } = first.effects;
  const shared = (['domain', 'stream', 'retriever'] as const).filter(
    (dimension) => !report.varying.includes(dimension),
  );
  if (shared.length === 0) return null;
  return markup` All cells: ${shared.map((dimension, index) => [index > 0 && ', ', cellPart(key, dimension)])}.`;
}

/** Names cells down a table; a part that repeats the row above is dimmed. */
export class CellNamer {
  readonly #varying: readonly CellDimension[];
  #above: CellKey | null = null;

  constructor({ varying }: Report) {
    this.#varying = varying;
  }

  /** The naming cells of the next row. */
  next(key: CellKey): Fragment[] {
    let repeats = this.#above !== null;
    const parts = this.#varying.map((dimension) => {
      repeats &&= this.#above![dimension] === key[dimension];
      const part = cellPart(key, dimension);
      return repeats ? markup`<span class="again">${part}</span>` : part;
    });
    this.#above = key;
    return parts;
  }
}

/** One dimension of a cell with its tag. */
export function cellPart(key: CellKey, dimension: CellDimension): Markup {
  return taggedText(key[dimension], tagOf(key, dimension));
}

/** The whole name of a cell by the dimensions in which cells differ. */
export function cellTitle(key: CellKey, varying: readonly CellDimension[]): Markup {
  return markup`${varying.map((dimension, index) => [index > 0 && ' · ', cellPart(key, dimension)])}`;
}
