import type { DuckDBListValue, DuckDBValue } from '@duckdb/node-api';
import type { AssetContent } from '../../corpus/ingest/assetContent.js';
import type { Instant } from '../../time/instant.js';

/** A version of an asset, as the log holds it. */
export interface AssetVersion extends AssetContent {
  readonly id: string;
  /** Event time; that of availability where the source declared none. */
  readonly eventAt: Instant;
  /** Whether the source declared the event time. */
  readonly eventAtIsDeclared: boolean;
  /** First instant at which it could be returned, c(a). */
  readonly availableAt: Instant;
  /** When it was written to disk: provenance only. */
  readonly materializedAt: Instant;
  /** Place in the log. */
  readonly sequence: number;
  readonly contentHash: string;
}

/** A version and the interval in which it is current. */
export interface DatedVersion extends AssetVersion {
  /**
   * First instant at which it is no longer current; undefined while it is. Equal to `availableAt` for a version that a
   * later operation of the same instant replaced: it was never current.
   */
  readonly endsAt: Instant | undefined;
  readonly endedBy: 'version' | 'withdrawal' | undefined;
}

/** Columns of `rows.parquet` that `toVersion` takes, in its order. */
export const versionColumns = [
  'sequence',
  'id',
  'available_at',
  'event_at',
  'materialized_at',
  'type',
  'title',
  'text',
  'entities',
  'fields',
  'content_hash',
] as const;

export function toVersion(row: readonly DuckDBValue[]): AssetVersion {
  const [sequence, id, availableAt, eventAt, materializedAt, type, title, text, entities, fields, contentHash] = row;
  return {
    id: id as string,
    type: type as string,
    title: (title as string | null) ?? undefined,
    text: text as string,
    entities: (entities as DuckDBListValue).items as string[],
    fields: (fields as string | null) ?? undefined,
    eventAt: Number(eventAt ?? availableAt),
    eventAtIsDeclared: eventAt !== null,
    availableAt: Number(availableAt),
    materializedAt: Number(materializedAt),
    sequence: Number(sequence),
    contentHash: contentHash as string,
  };
}
