import {
  DuckDBArrayValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { openInMemory } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import type { LocatedRecord } from './sourceRecord.js';

/**
 * The rows of a Parquet file, in order, in batches of DuckDB's chunks, as values of JSON. Rows count from 1.
 *
 * A timestamp adjusted to UTC becomes a text with `+00`, any other timestamp a text without offset (so that it needs a
 * zone), a date a date. Integers beyond 2^53 become texts, so that no digit is lost.
 *
 * @param path the file itself
 * @param file how messages name it
 * @throws InvalidInputError when it is truncated, or no Parquet file
 */
export async function* readParquetRecords(path: string, file: string): AsyncGenerator<LocatedRecord[]> {
  const { connection, close } = await openInMemory();
  try {
    const result = await orFault(file, () => connection.stream(`FROM read_parquet(${quotePath(path)})`));
    const names = result.columnNames();
    let row = 0;
    for (;;) {
      const chunk = await orFault(file, () => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return;
      const columns = names.map((_, index) => chunk.getColumnVector(index));
      const batch: LocatedRecord[] = [];
      for (let i = 0; i < chunk.rowCount; i++) {
        const record: Record<string, unknown> = {};
        for (const [index, name] of names.entries()) record[name] = toJsonValue(columns[index]!.getItem(i));
        batch.push({ location: { file, row: ++row }, record });
      }
      yield batch;
    }
  } finally {
    close();
  }
}

async function orFault<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const value = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0]!;
    throw new InvalidInputError({ location: { file }, value, expected: 'a whole, undamaged Parquet file', cause });
  }
}

function toJsonValue(value: DuckDBValue): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(toJsonValue);
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, member]) => [name, toJsonValue(member)]));
  }
  if (value instanceof DuckDBMapValue) {
    return Object.fromEntries(value.entries.map(({ key, value: member }) => [String(key), toJsonValue(member)]));
  }
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  // Its own text form would be in the machine's zone.
  if (value instanceof DuckDBTimestampTZValue) return `${new DuckDBTimestampValue(value.micros)}+00`;
  return String(value);
}
