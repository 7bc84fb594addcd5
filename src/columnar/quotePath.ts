/** A path as a string literal of DuckDB's SQL. */
export function quotePath(path: string): string {
  return quoteText(path);
}

/** A text as a string literal of DuckDB's SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
