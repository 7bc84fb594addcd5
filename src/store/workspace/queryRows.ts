import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';

/** Streams a query's rows as arrays of values, a chunk of DuckDB's at a time. 64-bit integers come as bigint. */
export async function* queryRows(
  connection: DuckDBConnection,
  query: string,
  values?: DuckDBValue[],
): AsyncGenerator<DuckDBValue[][]> {
  const result = await connection.stream(query, values);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield chunk.getRows() as DuckDBValue[][];
  }
}
