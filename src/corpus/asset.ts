import type { Instant } from '../time/instant.js';

/** A table as its source holds it: header cells, then rows of cells, all text. */
export interface AssetTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * One thing that a retriever can return: a table, a passage, a release note, an advisory.
 * It holds either `text` or `table`.
 */
export interface Asset {
  readonly id: string;
  /** `table`, `text`, or any other name. */
  readonly type: string;
  readonly title?: string;
  readonly text?: string;
  readonly table?: AssetTable;
  /** What the asset belongs to in its source, for example a report page. */
  readonly group?: string;
  /** Event time: when it happened by its own account. */
  readonly eventAt?: Instant;
  /** Availability time c(a): when the system could first have returned it. Absent: always available (in a frozen corpus; a corpus that is read as of its requests must say). */
  readonly availableAt?: Instant;
}

/** How tables become text: `full` (title, header, rows) or `headers` (title and header, as DPDisc did). */
export type TableText = 'full' | 'headers';

/**
 * The text that retrieval sees (PIT Discovery section 4.1, minimal serialisation): title, then the passage; or title,
 * then the header cells joined by ` | `, then each row likewise, a line each. Empty parts are left out.
 */
export function assetText(asset: Asset, tableText: TableText = 'full'): string {
  const lines: string[] = [];
  if (asset.title) lines.push(asset.title);
  if (asset.table) {
    lines.push(asset.table.header.join(' | '));
    if (tableText === 'full') for (const row of asset.table.rows) lines.push(row.join(' | '));
  } else if (asset.text) {
    lines.push(asset.text);
  }
  return lines.filter((line) => line !== '').join('\n');
}
