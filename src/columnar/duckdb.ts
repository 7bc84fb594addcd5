import { rename, rm } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { quotePath } from './quotePath.js';

/** Bounds of a database in memory. */
export interface MemoryBounds {
  /** As DuckDB writes it, for example `512MiB`. */
  readonly memoryLimit: string;
  /** Where tables and sorts go that are larger; DuckDB makes the folder, and removes what it put there. */
  readonly spillFolder: string;
}

/** A connection to a database; queries on different ones do not end one another's streams. */
export interface Connection {
  readonly connection: DuckDBConnection;
  close(): void;
}

/** A database in memory, with a first connection; closing it closes that one. */
export interface Database extends Connection {
  /** Another connection, which is many times cheaper than another database. */
  connect(): Promise<Connection>;
}

/** Opens an in-memory database that keeps rows in order and gives the same bytes on every machine: one thread. */
export async function openInMemory(bounds?: MemoryBounds): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:', {
    threads: '1',
    preserve_insertion_order: 'true',
    ...(bounds && { memory_limit: bounds.memoryLimit, temp_directory: bounds.spillFolder }),
  });
  const connection = await instance.connect();
  return {
    connection,
    connect: async () => {
      const other = await instance.connect();
      return { connection: other, close: () => other.closeSync() };
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** `copyToFile` with a database of its own. */
export async function copyQuery(query: string, file: string, format?: string): Promise<void> {
  const { connection, close } = await openInMemory();
  try {
    await copyToFile(connection, query, file, format);
  } finally {
    close();
  }
}

/**
 * Writes the result of a query to a file, whole or not at all.
 * @param format options of DuckDB's COPY, for example `FORMAT json`
 */
export async function copyToFile(
  connection: DuckDBConnection,
  query: string,
  file: string,
  format = 'FORMAT parquet, COMPRESSION zstd',
): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await connection.run(`COPY (${query}) TO ${quotePath(partial)} (${format})`);
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
}
