import type { DuckDBListVector, DuckDBVector } from '@duckdb/node-api';
import { ForeignFileError } from '../errors/ForeignFileError.js';
import { type Database, openInMemory } from './duckdb.js';
import { quotePath, quoteText } from './quotePath.js';

/**
 * What a reader asks for: column names and their types as written by `writeParquet`. A `label` is a text of which a file
 * has few different ones, such as a name that all rows of a group share: each is read once, which is many times faster.
 */
export type ColumnRequest = Readonly<Record<string, keyof ReadColumns>>;

/** Only rows whose columns have these values. */
export type RowFilter = Readonly<Record<string, string | number>>;

/** A list column read back: row r is [offsets[r], offsets[r + 1]) of `values`. */
export interface ReadList<V> {
  readonly offsets: Uint32Array;
  readonly values: V;
}

export interface ReadColumns {
  string: (string | null)[];
  label: (string | null)[];
  int32: Int32Array;
  float64: Float64Array;
  instant: Float64Array;
  'list<int32>': ReadList<Int32Array>;
  'list<float64>': ReadList<Float64Array>;
  'list<instant>': ReadList<Float64Array>;
  'list<string>': ReadList<string[]>;
  'list<label>': ReadList<string[]>;
}

export type ReadTable<R extends ColumnRequest> = { readonly rows: number } & {
  readonly [K in keyof R]: ReadColumns[R[K]];
};

/**
 * Reads named columns of a Parquet file, in file order. Nulls come back as NaN in `float64` and `instant` columns, as
 * null in texts.
 * @param database what is at hand to read with, where no column is of labels; one of its own otherwise
 * @throws ForeignFileError when the file is truncated, is not Parquet, or lacks a column
 */
export async function readParquet<R extends ColumnRequest>(
  path: string,
  request: R,
  database?: Database,
): Promise<ReadTable<R>> {
  for await (const table of readParquetRuns(path, request, [], {}, database)) return table;
  return newTable(request).finish();
}

/**
 * Streams a Parquet file as one table for each maximal run of consecutive rows that agree in the `key` columns (texts or
 * numbers), in file order; memory is bounded by the longest run.
 * @throws ForeignFileError as `readParquet`
 */
export async function* readParquetRuns<R extends ColumnRequest>(
  path: string,
  request: R,
  key: readonly (keyof R & string)[],
  filter: RowFilter = {},
  database?: Database,
): AsyncGenerator<ReadTable<R>> {
  const { connection, close } = await (database?.connect() ?? openInMemory());
  const names = Object.keys(request);
  const keyIndexes = key.map((name) => names.indexOf(name));
  const selected = names.map((name, i) => `"${name}"::${sqlTypeOf(request[name]!, i)} AS "${name}"`).join(', ');
  const rows = `FROM read_parquet(${quotePath(path)})${whereClause(filter)}`;
  try {
    const result = await asForeignFile(path, async () => {
      for (const query of labelTypes(request, rows)) await connection.run(query);
      return connection.stream(`SELECT ${selected} ${rows}`);
    });
    let table = newTable(request);
    let current: string | undefined;
    for (;;) {
      const chunk = await asForeignFile(path, () => result.fetchChunk());
      if (!chunk || chunk.rowCount === 0) break;
      const vectors = names.map((_, index) => chunk.getColumnVector(index));
      const keyAt = (row: number) => keyIndexes.map((index) => String(vectors[index]!.getItem(row))).join('\u0000');
      let start = 0;
      for (let row = 0; row < chunk.rowCount; row++) {
        const value = keyAt(row);
        if (value === current) continue;
        table.add(vectors, start, row);
        if (table.rows > 0) {
          yield table.finish();
          table = newTable(request);
        }
        current = value;
        start = row;
      }
      table.add(vectors, start, chunk.rowCount);
    }
    if (table.rows > 0) yield table.finish();
  } finally {
    close();
  }
}

async function asForeignFile<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const reason = String(error instanceof Error ? error.message : error).split('\n')[0]!;
    throw new ForeignFileError({
      file: path,
      reason: `not a readable Parquet file of this kind (${reason})`,
      cause: error,
    });
  }
}

interface TableBuilder<R extends ColumnRequest> {
  readonly rows: number;
  /** Takes rows start..end-1 of a chunk in. */
  add(vectors: readonly DuckDBVector[], start: number, end: number): void;
  finish(): ReadTable<R>;
}

function newTable<R extends ColumnRequest>(request: R): TableBuilder<R> {
  const names = Object.keys(request);
  const builders = names.map((name) => newBuilder(request[name]!));
  let rows = 0;
  return {
    get rows() {
      return rows;
    },
    add(vectors, start, end) {
      if (end === start) return;
      for (const [index, builder] of builders.entries()) builder.add(vectors[index]!, start, end);
      rows += end - start;
    },
    finish() {
      return { rows, ...Object.fromEntries(names.map((name, i) => [name, builders[i]!.finish()])) } as ReadTable<R>;
    },
  };
}

function whereClause(filter: RowFilter): string {
  const terms = Object.entries(filter).map(
    ([name, value]) => `"${name}" = ${typeof value === 'number' ? value : quoteText(value)}`,
  );
  return terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
}

/** Makes a type of the distinct values of each column of labels; a value is then read as its number. */
function labelTypes(request: ColumnRequest, rows: string): string[] {
  return Object.entries(request).flatMap(([name, type], column) => {
    if (type !== 'label' && type !== 'list<label>') return [];
    const labels = type === 'label' ? `"${name}"` : `unnest("${name}")`;
    const distinct = `SELECT DISTINCT label FROM (SELECT ${labels} AS label ${rows}) WHERE label IS NOT NULL`;
    return `CREATE TYPE ${labelType(column)} AS ENUM (${distinct})`;
  });
}

function labelType(column: number): string {
  return `labels_of_${column}`;
}

function sqlTypeOf(type: keyof ReadColumns, column: number): string {
  if (type === 'label') return labelType(column);
  return type === 'list<label>' ? `${labelType(column)}[]` : sqlTypes[type];
}

const sqlTypes = {
  string: 'VARCHAR',
  int32: 'INTEGER',
  float64: 'DOUBLE',
  instant: 'DOUBLE',
  'list<int32>': 'INTEGER[]',
  'list<float64>': 'DOUBLE[]',
  'list<instant>': 'DOUBLE[]',
  'list<string>': 'VARCHAR[]',
} as const;

interface Builder {
  /** Takes rows start..end-1 of a chunk's vector in. */
  add(vector: DuckDBVector, start: number, end: number): void;
  finish(): unknown;
}

function newBuilder(type: keyof ReadColumns): Builder {
  switch (type) {
    case 'string':
    case 'label':
      return new StringBuilder();
    case 'int32':
      return new NumberBuilder(Int32Array);
    case 'float64':
    case 'instant':
      return new NumberBuilder(Float64Array);
    case 'list<string>':
    case 'list<label>':
      return new ListBuilder(new StringBuilder());
    case 'list<int32>':
      return new ListBuilder(new NumberBuilder(Int32Array));
    case 'list<float64>':
    case 'list<instant>':
      return new ListBuilder(new NumberBuilder(Float64Array));
  }
}

class StringBuilder implements Builder {
  readonly #values: (string | null)[] = [];

  add(vector: DuckDBVector, start: number, end: number): void {
    for (let i = start; i < end; i++) this.#values.push(vector.getItem(i) as string | null);
  }

  finish(): (string | null)[] {
    return this.#values;
  }
}

/** Collects numbers chunk by chunk from the vectors' own memory. */
class NumberBuilder implements Builder {
  readonly #Type: Int32ArrayConstructor | Float64ArrayConstructor;
  readonly #parts: (Int32Array | Float64Array)[] = [];
  #length = 0;

  constructor(Type: Int32ArrayConstructor | Float64ArrayConstructor) {
    this.#Type = Type;
  }

  add(vector: DuckDBVector, start: number, end: number): void {
    // Both numeric vectors keep their numbers in `items`, which their common type does not say.
    const { items } = vector as unknown as { items: Int32Array | Float64Array };
    const part = this.#Type.from(items.subarray(start, end));
    if (this.#Type === Float64Array) {
      for (let i = start; i < end; i++) if (vector.getItem(i) === null) part[i - start] = Number.NaN;
    }
    this.#parts.push(part);
    this.#length += part.length;
  }

  finish(): Int32Array | Float64Array {
    const all = new this.#Type(this.#length);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

class ListBuilder implements Builder {
  readonly #elements: Builder;
  readonly #offsets: number[] = [0];

  constructor(elements: Builder) {
    this.#elements = elements;
  }

  add(vector: DuckDBVector, start: number, end: number): void {
    const lists = vector as DuckDBListVector;
    for (let row = start; row < end; row++) {
      const from = lists.getEntryOffset(row);
      const length = lists.getEntryLength(row);
      if (length > 0) this.#elements.add(lists.childVector, from, from + length);
      this.#offsets.push(this.#offsets.at(-1)! + length);
    }
  }

  finish(): ReadList<unknown> {
    return { offsets: Uint32Array.from(this.#offsets), values: this.#elements.finish() };
  }
}
