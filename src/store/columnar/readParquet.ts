import { DuckDBInstance, type DuckDBListVector, type DuckDBVector } from '@duckdb/node-api';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { quotePath } from './quotePath.js';

/** What a reader asks for: column names and their types as written by `writeParquet`. */
export type ColumnRequest = Readonly<
  Record<
    string,
    'string' | 'int32' | 'float64' | 'instant' | 'list<int32>' | 'list<float64>' | 'list<instant>' | 'list<string>'
  >
>;

/** A list column read back: row r is [offsets[r], offsets[r + 1]) of `values`. */
export interface ReadList<V> {
  readonly offsets: Uint32Array;
  readonly values: V;
}

export interface ReadColumns {
  string: (string | null)[];
  int32: Int32Array;
  float64: Float64Array;
  instant: Float64Array;
  'list<int32>': ReadList<Int32Array>;
  'list<float64>': ReadList<Float64Array>;
  'list<instant>': ReadList<Float64Array>;
  'list<string>': ReadList<string[]>;
}

export type ReadTable<R extends ColumnRequest> = { readonly rows: number } & {
  readonly [K in keyof R]: ReadColumns[R[K]];
};

/**
 * Reads named columns of a Parquet file, in file order. Nulls come back as NaN in numbers and as null in texts.
 * @throws ForeignFileError when the file is truncated, is not Parquet, or lacks a column
 */
export async function readParquet<R extends ColumnRequest>(path: string, request: R): Promise<ReadTable<R>> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', preserve_insertion_order: 'true' });
  const connection = await instance.connect();
  const names = Object.keys(request);
  try {
    const selected = names.map((name) => `"${name}"::${sqlTypes[request[name]!]} AS "${name}"`).join(', ');
    const result = await connection.stream(`SELECT ${selected} FROM read_parquet(${quotePath(path)})`);
    const builders = names.map((name) => newBuilder(request[name]!));
    let rows = 0;
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      for (const [index, builder] of builders.entries()) builder.add(chunk.getColumnVector(index), chunk.rowCount);
      rows += chunk.rowCount;
    }
    const columns = Object.fromEntries(names.map((name, index) => [name, builders[index]!.finish()]));
    return { rows, ...columns } as ReadTable<R>;
  } catch (error) {
    throw new ForeignFileError({
      file: path,
      reason: `not a readable Parquet file of this kind (${firstLine(error)})`,
      cause: error,
    });
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
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
  add(vector: DuckDBVector, rows: number): void;
  finish(): unknown;
}

function newBuilder(type: keyof ReadColumns): Builder {
  switch (type) {
    case 'string':
      return new StringBuilder();
    case 'int32':
      return new NumberBuilder(Int32Array);
    case 'float64':
    case 'instant':
      return new NumberBuilder(Float64Array);
    case 'list<string>':
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

  add(vector: DuckDBVector, rows: number): void {
    for (let i = 0; i < rows; i++) this.#values.push(vector.getItem(i) as string | null);
  }

  finish(): (string | null)[] {
    return this.#values;
  }
}

/** Collects numbers chunk by chunk from the vectors' own memory; nulls become NaN (0 in integer columns). */
class NumberBuilder implements Builder {
  readonly #Type: Int32ArrayConstructor | Float64ArrayConstructor;
  readonly #parts: (Int32Array | Float64Array)[] = [];
  #length = 0;

  constructor(Type: Int32ArrayConstructor | Float64ArrayConstructor) {
    this.#Type = Type;
  }

  add(vector: DuckDBVector, rows: number): void {
    const part = this.#Type.from((vector as unknown as { items: Int32Array | Float64Array }).items.subarray(0, rows));
    if (this.#Type === Float64Array) {
      for (let i = 0; i < rows; i++) if (vector.getItem(i) === null) part[i] = Number.NaN;
    }
    this.#parts.push(part);
    this.#length += rows;
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

  add(vector: DuckDBVector, rows: number): void {
    const lists = vector as DuckDBListVector;
    let total = 0;
    const first = rows === 0 ? 0 : lists.getEntryOffset(0);
    for (let i = 0; i < rows; i++) {
      if (lists.getEntryOffset(i) !== first + total) throw new Error('list elements are not in row order');
      total += lists.getEntryLength(i);
      this.#offsets.push(this.#offsets.at(-1)! + lists.getEntryLength(i));
    }
    this.#elements.add(first === 0 ? lists.childVector : lists.childVector.slice(first, total), total);
  }

  finish(): ReadList<unknown> {
    return { offsets: Uint32Array.from(this.#offsets), values: this.#elements.finish() };
  }
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n')[0]!;
}
