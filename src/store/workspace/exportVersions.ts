import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { csvCell } from '../../columnar/csvCell.js';
import { openInMemory } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { type MappingTarget, mappingTargets } from '../../corpus/ingest/fieldMapping.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { moveOver, replaceFile } from '../../files/atomicFile.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Instant } from '../../time/instant.js';
import type { DatedVersion } from './assetVersion.js';
import { datedVersionsQuery, toDatedVersion } from './history.js';
import { type OperationScope, operationKinds } from './operations.js';
import { queryRows } from './queryRows.js';

export const exportFormats = ['jsonl', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What is exported. */
export interface ExportOptions {
  readonly asOf: Instant;
  readonly format: ExportFormat;
  /** `current`: what is current as of `asOf`. `history`: every version available by then, with the end of each. */
  readonly versions: 'current' | 'history';
}

/** Where an export goes: a file, which appears when it is complete, or a stream (not for Parquet). */
export type ExportTarget =
  | { readonly file: string }
  | {
      /** Takes the text piece by piece; a promise is waited for. */
      readonly write: (text: string) => Promise<void> | void;
    };

/**
 * Writes versions in the order of availability. What was written can be ingested again with the `generic` preset, and
 * gives the same contents: entities and fields come through every format.
 *
 * @returns the number of versions
 */
export async function exportVersions(
  scope: OperationScope,
  options: ExportOptions,
  target: ExportTarget,
): Promise<number> {
  const spillFolder = path.join(tmpdir(), `asof-export-${randomUUID()}`);
  const { connection, close } = await openInMemory({ memoryLimit: '256MiB', spillFolder });
  try {
    const isEmpty = scope.segments.every(({ rows }) => rows === 0);
    const query = isEmpty ? emptyQuery : selectVersions(scope, options);
    if (options.format === 'parquet') {
      if (!('file' in target)) {
        throw new InvalidArgumentError({ argument: 'format', value: 'parquet', expected: 'a file to write it to' });
      }
      const partial = `${target.file}.${randomUUID()}.partial`;
      try {
        const copied = await connection.run(
          `COPY (${parquetQuery(query)}) TO ${quotePath(partial)} (FORMAT parquet, COMPRESSION zstd)`,
        );
        await moveOver(partial, target.file);
        return Number((await copied.getRows())[0]![0]);
      } finally {
        await rm(partial, { force: true });
      }
    }
    const lines = formatLines(queryRows(connection, query), options.format);
    if ('file' in target)
      return await replaceFile(target.file, (file) => writeAll(lines, (text) => file.writeFile(text)));
    return await writeAll(lines, target.write);
  } finally {
    close();
    await rm(spillFolder, { recursive: true, force: true });
  }
}

function selectVersions(scope: OperationScope, { asOf, versions }: ExportOptions): string {
  const query = datedVersionsQuery(scope);
  const isAvailable = `available_at <= ${asOf}`;
  const isCurrent = `${isAvailable} AND (ends_at IS NULL OR ends_at > ${asOf})`;
  // As of t nothing is known of what ends after t.
  const known = `* REPLACE (CASE WHEN ends_at <= ${asOf} THEN ends_at END AS ends_at,
    CASE WHEN ends_at <= ${asOf} THEN ended_by END AS ended_by)`;
  return `SELECT ${known} FROM (${query}) WHERE ${versions === 'current' ? isCurrent : isAvailable}
    ORDER BY available_at, sequence`;
}

const emptyQuery = `SELECT 0::BIGINT AS sequence, '' AS id, 0::BIGINT AS available_at, 0::BIGINT AS event_at,
  0::BIGINT AS materialized_at, '' AS type, '' AS title, '' AS text, ['']::VARCHAR[] AS entities, '' AS fields,
  '' AS content_hash, 0::BIGINT AS ends_at, 0::TINYINT AS ended_by WHERE false`;

/** Instants as timestamps in UTC, which other tools understand. */
function parquetQuery(query: string): string {
  const instant = (column: string) => `make_timestamp((${column}) * 1000) AT TIME ZONE 'UTC'`;
  return `SELECT id, type, title, text, entities, ${instant('event_at')} AS "eventAt",
    ${instant('available_at')} AS "availableAt",
    ${instant(`CASE WHEN ended_by = ${operationKinds.withdraw} THEN ends_at END`)} AS "withdrawnAt", fields
    FROM (${query})`;
}

async function* formatLines(
  chunks: ReturnType<typeof queryRows>,
  format: 'jsonl' | 'csv',
): AsyncGenerator<{ text: string; versions: number }> {
  if (format === 'csv') yield { text: `${mappingTargets.join(',')}\r\n`, versions: 0 };
  const formatOne = format === 'csv' ? csvLine : jsonLine;
  for await (const chunk of chunks) {
    yield { text: chunk.map((row) => formatOne(toDatedVersion(row))).join(''), versions: chunk.length };
  }
}

async function writeAll(
  lines: AsyncIterable<{ text: string; versions: number }>,
  write: (text: string) => Promise<void> | void,
): Promise<number> {
  let count = 0;
  for await (const { text, versions } of lines) {
    await write(text);
    count += versions;
  }
  return count;
}

/** The fields that the `generic` preset reads, in its order; undefined where there is none. */
function fieldsOf(version: DatedVersion): Record<MappingTarget, unknown> {
  const { id, type, title, text, entities, fields, endsAt, endedBy } = version;
  return {
    id,
    type,
    title,
    text,
    entities: entities.length > 0 ? entities : undefined,
    // An event time that was only taken over from availability is none of the source's.
    eventAt: version.eventAtIsDeclared ? formatInstant(version.eventAt) : undefined,
    availableAt: formatInstant(version.availableAt),
    withdrawnAt: endedBy === 'withdrawal' ? formatInstant(endsAt!) : undefined,
    fields: fields === undefined ? undefined : JSON.parse(fields),
  };
}

function jsonLine(version: DatedVersion): string {
  return `${JSON.stringify(fieldsOf(version))}\n`;
}

function csvLine(version: DatedVersion): string {
  const fields = fieldsOf(version);
  const cells = mappingTargets.map((name) => {
    const value = fields[name];
    return csvCell(value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));
  });
  return `${cells.join(',')}\r\n`;
}
