import type { DuckDBConnection } from '@duckdb/node-api';
import type { Instant } from '../../time/instant.js';
import { type DatedVersion, toVersion, versionColumns } from './assetVersion.js';
import { currencyQuery, type OperationScope, operationKinds, versionsQuery } from './operations.js';

/** All versions of one asset that the scope holds, in the order in which they were current. */
export async function readVersions(
  connection: DuckDBConnection,
  scope: OperationScope,
  id: string,
): Promise<DatedVersion[]> {
  if (scope.segments.every(({ rows }) => rows === 0)) return [];
  const query = datedVersionsQuery(scope, 'id = $1');
  const rows = await (await connection.run(`${query} ORDER BY available_at, sequence`, [id])).getRows();
  return rows.map(toDatedVersion);
}

/** The version that was current as of t; undefined when none was. Versions are in the order of `readVersions`. */
export function versionAsOf(versions: readonly DatedVersion[], t: Instant): DatedVersion | undefined {
  return versions.find(({ availableAt, endsAt }) => availableAt <= t && (endsAt === undefined || t < endsAt));
}

/** Versions with the ends of their currency; `toDatedVersion` takes a row. */
export function datedVersionsQuery(scope: OperationScope, where?: string): string {
  const columns = versionColumns.map((column) => `v.${column}`).join(', ');
  return `SELECT ${columns}, c.ends_at, c.ended_by FROM ${versionsQuery(scope, where)} v
    JOIN ${currencyQuery(scope, where)} c ON c.segment = v.segment AND c.row = v.file_row_number`;
}

export function toDatedVersion(row: Parameters<typeof toVersion>[0]): DatedVersion {
  const [endsAt, endedBy] = row.slice(versionColumns.length);
  return {
    ...toVersion(row),
    endsAt: endsAt === null ? undefined : Number(endsAt),
    endedBy: endedBy === null ? undefined : endedBy === operationKinds.put ? 'version' : 'withdrawal',
  };
}
