import type { Database } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { readParquet } from '../../columnar/readParquet.js';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { textRepresentation } from '../../corpus/ingest/assetContent.js';
import type { Instant } from '../../time/instant.js';
import { type AssetVersion, toVersion, versionColumns } from './assetVersion.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import { queryRows } from './queryRows.js';
import type { ReadDatabase } from './ReadDatabase.js';
import type { DerivedRecord, SegmentRecord } from './state.js';

/** A file computed from a segment and registered with it; its bytes never change. */
export interface DerivedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * An immutable part of the asset log, column by column, in availability order. The snapshot D_t is, of every segment,
 * the rows up to `snapshotSize(segment, t)` less those whose currency has ended by t:
 * `availableAt[row] <= t && t < endsAt[row]`.
 *
 * All but `endsAt` is the same for ever; later operations on an asset can only bring the end of a row's currency.
 */
export interface SegmentRows {
  readonly id: number;
  /** Folder of its files. */
  readonly folder: string;
  /** Commitment over the rows, in order; the same rows have the same one in any workspace. */
  readonly contentHash: string;
  readonly size: number;
  /** [size] asset ids; an id has a row for each of its versions. */
  readonly ids: readonly string[];
  /** Distinct types in code-unit order. */
  readonly typeNames: readonly string[];
  /** [size] index into `typeNames`. */
  readonly types: Uint16Array;
  /** [size] c(a) in epoch milliseconds, ascending. */
  readonly availableAt: Float64Array;
  /** [size] event time in epoch milliseconds. */
  readonly eventAt: Float64Array;
  /** [size] first instant at which the row is no longer current; Infinity while it is. */
  readonly endsAt: Float64Array;
  /** [size] place in the log. */
  readonly sequence: Float64Array;
  /** By name. */
  readonly derived: ReadonlyMap<string, DerivedFile>;
  /** The texts that retrieval sees, in row order, in batches; read from disk as they are asked for. */
  texts(): AsyncGenerator<readonly string[]>;
  /** Whole versions of some rows, in the order of `rows`. */
  read(rows: ArrayLike<number>): Promise<AssetVersion[]>;
}

/** Whether a row is current as of t: part of D_t. */
export function isCurrent(segment: SegmentRows, row: number, t: Instant): boolean {
  return segment.availableAt[row]! <= t && t < segment.endsAt[row]!;
}

/** What a segment is without regard to the operations after it: columns that never change. */
export type SegmentColumns = Pick<
  SegmentRows,
  'size' | 'ids' | 'typeNames' | 'types' | 'availableAt' | 'eventAt' | 'sequence'
>;

export async function loadSegmentColumns(
  database: Database,
  folder: string,
  segment: SegmentRecord,
): Promise<SegmentColumns> {
  if (segment.rows === 0) {
    const none = () => new Float64Array(0);
    const columns = { availableAt: none(), eventAt: none(), sequence: none() };
    return { size: 0, ids: [], typeNames: [], types: new Uint16Array(0), ...columns };
  }
  const file = inWorkspace(folder, workspaceLayout.rows(segment.id));
  const request = {
    id: 'string',
    type: 'string',
    available_at: 'instant',
    event_at: 'instant',
    sequence: 'instant',
  } as const;
  const table = await readParquet(file, request, database);
  const typeNames = [...new Set(table.type as string[])].sort(compareCodeUnits);
  const codes = new Map(typeNames.map((name, code) => [name, code]));
  return {
    size: table.rows,
    ids: table.id as string[],
    typeNames,
    types: Uint16Array.from(table.type, (type) => codes.get(type!)!),
    availableAt: table.available_at,
    eventAt: table.event_at.map((instant, row) => (Number.isNaN(instant) ? table.available_at[row]! : instant)),
    sequence: table.sequence,
  };
}

/** Withdrawals of a segment, by asset id. */
export type Withdrawals = ReadonlyMap<string, readonly { readonly instant: Instant; readonly sequence: number }[]>;

export async function loadWithdrawals(
  database: Database,
  folder: string,
  segment: SegmentRecord,
): Promise<Withdrawals> {
  const byId = new Map<string, { instant: Instant; sequence: number }[]>();
  if (segment.withdrawals === 0) return byId;
  const file = inWorkspace(folder, workspaceLayout.withdrawals(segment.id));
  const table = await readParquet(file, { id: 'string', instant: 'instant', sequence: 'instant' } as const, database);
  for (const [at, id] of (table.id as string[]).entries()) {
    const own = byId.get(id) ?? [];
    own.push({ instant: table.instant[at]!, sequence: table.sequence[at]! });
    byId.set(id, own);
  }
  return byId;
}

/** Puts a segment together. */
export function segmentRows(
  folder: string,
  segment: SegmentRecord,
  columns: SegmentColumns & Pick<SegmentRows, 'endsAt'>,
  derived: readonly DerivedRecord[],
  reads: ReadDatabase,
): SegmentRows {
  const file = quotePath(inWorkspace(folder, workspaceLayout.rows(segment.id)));
  const files = derived
    .filter((record) => record.segment === segment.id)
    .map(({ name, path, sha256, bytes }) => [name, { path: inWorkspace(folder, path), sha256, bytes }] as const);
  return {
    id: segment.id,
    folder: inWorkspace(folder, workspaceLayout.segment(segment.id)),
    contentHash: segment.contentHash,
    ...columns,
    derived: new Map(files),
    async *texts() {
      const { database, release } = await reads.hold();
      try {
        // A connection of its own: a query that is being streamed ends with the next one on the same connection.
        const { connection: own, close } = await database.connect();
        try {
          for await (const chunk of queryRows(own, `SELECT title, text, entities FROM read_parquet(${file})`)) {
            yield chunk.map(([title, text, entities]) =>
              textRepresentation({
                title: (title as string | null) ?? undefined,
                text: text as string,
                entities: (entities as { items: readonly string[] }).items,
              }),
            );
          }
        } finally {
          close();
        }
      } finally {
        release();
      }
    },
    async read(rows) {
      const wanted = Array.from(rows);
      if (wanted.length === 0) return [];
      // By sequence, not by row number: row groups without any of them are skipped by their statistics.
      const sequences = wanted.map((row) => columns.sequence[row]!);
      const query = `SELECT ${versionColumns.join(', ')} FROM read_parquet(${file}) WHERE sequence IN (${sequences.join(', ')})`;
      const found = await reads.use(async ({ connection }) => (await connection.run(query)).getRows());
      const bySequence = new Map(found.map((row) => [Number(row[0]), toVersion(row)]));
      return sequences.map((sequence) => bySequence.get(sequence)!);
    },
  };
}
