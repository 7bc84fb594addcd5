/** Where in an input a fault was found. Lines and rows count from 1. */
export interface InputLocation {
  /** File name as the user gave it, or `stdin`. */
  file: string;
  line?: number | undefined;
  row?: number | undefined;
  /** Field, column or key, for example `gold[2]`. */
  field?: string | undefined;
}

/** `file:line`, `file row 3`, each followed by the field where known. */
export function formatLocation(location: InputLocation): string {
  let text = location.file;
  if (location.line !== undefined) text += `:${location.line}`;
  else if (location.row !== undefined) text += ` row ${location.row}`;
  return location.field === undefined ? text : `${text}: ${location.field}`;
}
