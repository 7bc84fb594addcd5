import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { openInMemory } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** A value of a row as JSON has it: instants are epoch milliseconds, what is undefined is null. */
export type CellValue = string | number | boolean | null | readonly CellValue[];

/** Which rows, in which order, and which part of them. */
export interface RowQuery {
  /** Column -> values of which a row must have one. */
  readonly where?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Columns to sort by; a minus before the name sorts descending. Rows that tie keep the order of the file. */
  readonly sort?: readonly string[];
  readonly columns?: readonly string[];
  readonly offset?: number;
  readonly limit: number;
}

export interface RowPage {
  /** Rows that the filter leaves. */
  readonly total: number;
  readonly columns: readonly string[];
  /** Values in the order of `columns`. */
  readonly rows: readonly (readonly CellValue[])[];
}

/**
 * Questions to the Parquet files of a run, answered by DuckDB without loading them. Column names are checked against the
 * file, and values are bound, never put into the query's text. One file at a time; queries wait for one another.
 */
export class RunRows {
  readonly #connection: DuckDBConnection;
  readonly #close: () => void;
  readonly #columns = new Map<string, Promise<readonly string[]>>();
  #last: Promise<unknown> = Promise.resolve();

  private constructor(connection: DuckDBConnection, close: () => void) {
    this.#connection = connection;
    this.#close = close;
  }

  static async open(): Promise<RunRows> {
    const { connection, close } = await openInMemory();
    return new RunRows(connection, close);
  }

  /** Names of a file's columns, in its order. */
  columnsOf(file: string): Promise<readonly string[]> {
    let columns = this.#columns.get(file);
    if (columns === undefined) {
      columns = this.#run(`DESCRIBE SELECT * FROM read_parquet(${quotePath(file)})`).then((rows) =>
        rows.map(([name]) => name as string),
      );
      this.#columns.set(file, columns);
    }
    return columns;
  }

  /** @throws InvalidArgumentError for a column that the file does not have */
  async page(file: string, query: RowQuery): Promise<RowPage> {
    const known = await this.columnsOf(file);
    const check = (argument: string, name: string): string => {
      if (known.includes(name)) return `"${name}"`;
      throw new InvalidArgumentError({ argument, value: name, expected: `one of ${known.join(', ')}` });
    };
    const columns = query.columns ?? known;
    const values: DuckDBValue[] = [];
    const bind = (value: DuckDBValue) => `$${values.push(value)}`;
    const conditions = Object.entries(query.where ?? {}).map(
      ([name, wanted]) => `${check('filter', name)} IN (${wanted.map(bind).join(', ')})`,
    );
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const order = (query.sort ?? []).map((name) =>
      name.startsWith('-')
        ? `${check('sort', name.slice(1))} DESC NULLS LAST`
        : `${check('sort', name)} ASC NULLS LAST`,
    );
    const source = `read_parquet(${quotePath(file)}, file_row_number = true) ${where}`;
    const selected = columns.map((name) => check('columns', name)).join(', ');
    const rows = await this.#run(
      `SELECT ${selected} FROM ${source} ORDER BY ${[...order, 'file_row_number'].join(', ')}
       LIMIT ${query.limit} OFFSET ${query.offset ?? 0}`,
      values,
    );
    const [count] = await this.#run(`SELECT count(*) FROM ${source}`, values);
    return { total: Number(count![0]), columns, rows: rows.map((row) => row.map(cellValue)) };
  }

  /** Distinct values of columns, in the order in which they first come. */
  async distinct(file: string, columns: readonly string[]): Promise<CellValue[][]> {
    const names = columns.map((name) => `"${name}"`).join(', ');
    const rows = await this.#run(
      `SELECT ${names} FROM read_parquet(${quotePath(file)}, file_row_number = true)
       GROUP BY ${names} ORDER BY min(file_row_number)`,
    );
    return rows.map((row) => row.map(cellValue));
  }

  /** Columns of one row of a file, by its place; undefined when there is none. */
  async rowAt(file: string, row: number, columns: readonly string[]): Promise<CellValue[] | undefined> {
    const names = columns.map((name) => `"${name}"`).join(', ');
    const [found] = await this.#run(
      `SELECT ${names} FROM read_parquet(${quotePath(file)}, file_row_number = true) WHERE file_row_number = $1`,
      [row],
    );
    return found?.map(cellValue);
  }

  /** Columns of several rows of a file, by place. */
  async rowsAt(file: string, rows: readonly number[], columns: readonly string[]): Promise<Map<number, CellValue[]>> {
    if (rows.length === 0) return new Map();
    const names = columns.map((name) => `"${name}"`).join(', ');
    const found = await this.#run(
      `SELECT file_row_number, ${names} FROM read_parquet(${quotePath(file)}, file_row_number = true)
       WHERE file_row_number IN (${rows.map(Number).join(', ')})`,
    );
    return new Map(found.map(([row, ...cells]) => [Number(row), cells.map(cellValue)]));
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    this.#close();
  }

  #run(query: string, values?: DuckDBValue[]): Promise<DuckDBValue[][]> {
    const rows = this.#last
      .catch(() => undefined)
      .then(async () => (await this.#connection.run(query, values)).getRows() as Promise<DuckDBValue[][]>);
    this.#last = rows;
    return rows;
  }
}

function cellValue(value: DuckDBValue): CellValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'object' && 'items' in value) return Array.from(value.items as DuckDBValue[], cellValue);
  return String(value);
}
