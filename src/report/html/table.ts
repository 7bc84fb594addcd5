import { type Fragment, type Markup, markup } from '../markup/markup.js';
import { stretchesOf } from '../words/direction.js';
import { countText } from '../words/numbers.js';

export interface TableColumn {
  readonly label: string;
  readonly isNumeric?: boolean;
  /** Keeps its cells on one line, as those of numbers and names are. */
  readonly isUnbroken?: boolean;
  /** Lets the names of rows break: they are sentences. */
  readonly isProse?: boolean;
}

/** A column of numbers, aligned to the right. */
export function numericColumn(label: string): TableColumn {
  return { label, isNumeric: true };
}

export interface DataTable {
  readonly caption: Fragment;
  readonly columns: readonly TableColumn[];
  /** One cell for each column. */
  readonly rows: readonly (readonly Fragment[])[];
  /** How many columns, from the left, name the row; 1 unless said otherwise. */
  readonly headers?: number;
}

/** Longer tables are closed until asked for. */
const longTable = 40;

/** Table that scrolls by itself where the page is too narrow. */
export function dataTable({ caption, columns, rows, headers = 1 }: DataTable): Markup {
  const classOf = (column: number) => {
    const { isNumeric, isUnbroken, isProse } = columns[column]!;
    const name = (isNumeric && 'number') || (isUnbroken && 'unbroken') || (isProse && 'prose');
    return name && markup` class="${name}"`;
  };
  const head = columns.map(({ label }, column) => markup`<th scope="col"${classOf(column)}>${label}</th>`);
  const body = rows.map(
    (row) =>
      markup`<tr>${row.map((cell, column) =>
        column < headers
          ? markup`<th scope="row"${classOf(column)}>${cell}</th>`
          : markup`<td${classOf(column)}>${cell}</td>`,
      )}</tr>\n`,
  );
  const table = markup`<div class="scroll" tabindex="0" role="group" aria-label="Table, scrolls sideways"><table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>
${body}</tbody></table></div>`;
  return rows.length > longTable ? details(markup`Table of ${countText(rows.length)} rows`, table) : table;
}

/** Text from data: kept apart from what stands around it, whichever way it is written. */
export function dataText(text: string): Markup {
  return markup`<bdi>${text}</bdi>`;
}

/** Words of the program's own with names in them: those that run from right to left are kept apart. */
export function prose(sentence: string): Markup {
  return markup`${stretchesOf(sentence).map(({ text, isRightToLeft }) => (isRightToLeft ? dataText(text) : text))}`;
}

/** Text from data with a framed word after it, such as `oracle`, where there is one. */
export function taggedText(text: string, tag: string | null | false): Markup {
  return markup`${dataText(text)}${tag && markup` <span class="tag">${tag}</span>`}`;
}

/** A digest or another text of fixed width. */
export function code(text: string): Markup {
  return markup`<code>${text}</code>`;
}

/** A part of the page that is closed until asked for; printed open. */
export function details(summary: Fragment, content: Fragment, { isOpen = false } = {}): Markup {
  return markup`<details${isOpen && markup` open`}><summary>${summary}</summary>${content}</details>`;
}
