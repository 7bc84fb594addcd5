/** A path as a string literal of DuckDB's SQL. */
export function quotePath(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}
