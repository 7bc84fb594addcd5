/** A cell of a CSV file (RFC 4180): quoted when it holds a quote, a comma or a line end; quotes in it are doubled. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
