import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBAppender,
  DuckDBDataChunk,
  type DuckDBType,
  INTEGER,
  LIST,
  VARCHAR,
} from '@duckdb/node-api';
import bindings from '@duckdb/node-bindings';
import type { Column, ListColumn } from './columns.js';
import { copyToFile, openInMemory } from './duckdb.js';

const chunkRows = 2048;

/**
 * Writes columns as a Parquet file, whole or not at all: the file appears under its name when it is complete. The same
 * columns give the same bytes.
 * @param format as of `copyToFile`; zstd by default
 */
export async function writeParquet(
  path: string,
  rows: number,
  columns: readonly Column[],
  format?: string,
): Promise<void> {
  const { connection, close } = await openInMemory();
  try {
    const declarations = columns.map((column) => `"${column.name}" ${duckType(column)}`);
    await connection.run(`CREATE TABLE t (${declarations.join(', ')})`);
    const appender = await connection.createAppender('t');
    appendColumns(appender, rows, columns);
    appender.closeSync();
    await copyToFile(connection, 'FROM t', path, format);
  } finally {
    close();
  }
}

/** Appends rows given as columns, which are those of the appender's table, in its order. */
export function appendColumns(appender: DuckDBAppender, rows: number, columns: readonly Column[]): void {
  for (let start = 0; start < rows; start += chunkRows) {
    const count = Math.min(chunkRows, rows - start);
    const chunk = DuckDBDataChunk.create(columns.map(duckType), count);
    for (const [index, column] of columns.entries()) {
      fill(bindings.data_chunk_get_vector(chunk.chunk, index), column, start, count);
    }
    appender.appendDataChunk(chunk);
  }
}

function duckType(column: Column): DuckDBType {
  switch (column.type) {
    case 'string':
    case 'constant':
      return VARCHAR;
    case 'constant-boolean':
      return BOOLEAN;
    case 'int32':
    case 'constant-int32':
      return INTEGER;
    case 'float64':
      return DOUBLE;
    case 'instant':
      return BIGINT;
    case 'list<int32>':
      return LIST(INTEGER);
    case 'list<float64>':
      return LIST(DOUBLE);
    case 'list<instant>':
      return LIST(BIGINT);
    case 'list<string>':
      return LIST(VARCHAR);
  }
}

type Vector = ReturnType<typeof bindings.data_chunk_get_vector>;

function fill(vector: Vector, column: Column, start: number, count: number): void {
  switch (column.type) {
    case 'string':
      fillStrings(vector, count, (i) => column.values[start + i] ?? null);
      return;
    case 'constant':
      fillStrings(vector, count, () => column.value);
      return;
    case 'constant-boolean':
      copyNumbers(vector, new Uint8Array(count).fill(column.value ? 1 : 0));
      return;
    case 'constant-int32':
      copyNumbers(vector, new Int32Array(count).fill(column.value));
      return;
    case 'int32': {
      const values = column.values.subarray(start, start + count);
      copyNumbers(vector, Int32Array.from(values));
      setNulls(vector, count, (i) => Number.isNaN(values[i]!));
      return;
    }
    case 'float64': {
      const values = column.values.slice(start, start + count);
      copyNumbers(vector, values);
      setNulls(vector, count, (i) => Number.isNaN(values[i]!));
      return;
    }
    case 'instant': {
      const values = column.values.subarray(start, start + count);
      copyNumbers(vector, toBigInts(values));
      setNulls(vector, count, (i) => !Number.isFinite(values[i]!));
      return;
    }
    default:
      fillLists(vector, column, start, count);
  }
}

function fillStrings(vector: Vector, count: number, valueAt: (i: number) => string | null): void {
  for (let i = 0; i < count; i++) {
    const value = valueAt(i);
    if (value !== null) bindings.vector_assign_string_element(vector, i, value);
  }
  setNulls(vector, count, (i) => valueAt(i) === null);
}

function setNulls(vector: Vector, count: number, isNull: (i: number) => boolean): void {
  let valid: Uint8Array | undefined;
  for (let i = 0; i < count; i++) {
    if (!isNull(i)) continue;
    valid ??= new Uint8Array(Math.ceil(count / 64) * 8).fill(0xff);
    valid[i >> 3]! &= ~(1 << (i & 7));
  }
  if (valid === undefined) return;
  bindings.vector_ensure_validity_writable(vector);
  bindings.copy_data_to_vector_validity(vector, 0, valid.buffer as ArrayBuffer, 0, valid.byteLength);
}

function fillLists(vector: Vector, column: ListColumn, start: number, count: number): void {
  const entries = new BigUint64Array(2 * count);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const length = column.lengths[start + i]!;
    entries[2 * i] = BigInt(total);
    entries[2 * i + 1] = BigInt(length);
    total += length;
  }
  bindings.list_vector_reserve(vector, total);
  bindings.list_vector_set_size(vector, total);
  copyNumbers(vector, entries);
  const child = bindings.list_vector_get_child(vector);
  if (column.type === 'list<string>') {
    let at = 0;
    for (let i = 0; i < count; i++) {
      const from = column.offsets[start + i]!;
      for (let k = 0; k < column.lengths[start + i]!; k++) {
        bindings.vector_assign_string_element(child, at++, column.dictionary[column.values[from + k]!]!);
      }
    }
    return;
  }
  const gathered = column.type === 'list<int32>' ? new Int32Array(total) : new Float64Array(total);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const from = column.offsets[start + i]!;
    const length = column.lengths[start + i]!;
    gathered.set(column.values.subarray(from, from + length), at);
    at += length;
  }
  copyNumbers(child, column.type === 'list<instant>' ? toBigInts(gathered) : gathered);
}

function copyNumbers(
  vector: Vector,
  values: Uint8Array | Int32Array | Float64Array | BigInt64Array | BigUint64Array,
): void {
  if (values.length === 0) return;
  bindings.copy_data_to_vector(vector, 0, values.buffer as ArrayBuffer, values.byteOffset, values.byteLength);
}

function toBigInts(values: ArrayLike<number>): BigInt64Array {
  const integers = new BigInt64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Number.isFinite(value)) integers[i] = BigInt(value);
  }
  return integers;
}
