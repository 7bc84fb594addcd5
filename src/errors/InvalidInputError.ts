import { AsofError } from './AsofError.js';
import { quoteValue } from './quoteValue.js';

/** Where in an input a fault was found. Lines and rows count from 1. */
export interface InputLocation {
  /** File name as the user gave it, or `stdin`. */
  file: string;
  line?: number | undefined;
  row?: number | undefined;
  /** Field, column or key, for example `gold[2]`. */
  field?: string | undefined;
}

/** A file, or a record in one, does not hold what its format promises. */
export class InvalidInputError extends AsofError {
  readonly code = 'ASOF_INVALID_INPUT';
  readonly location: InputLocation;
  readonly value: unknown;
  readonly expected: string;

  constructor(options: { location: InputLocation; expected: string; value?: unknown; cause?: unknown }) {
    const got = options.value === undefined ? 'nothing' : quoteValue(options.value);
    super(`${formatLocation(options.location)}: got ${got}, expected ${options.expected}`, { cause: options.cause });
    this.location = options.location;
    this.value = options.value;
    this.expected = options.expected;
  }
}

/** `file:line`, `file row 3`, each followed by the field where known. */
export function formatLocation(location: InputLocation): string {
  let text = location.file;
  if (location.line !== undefined) text += `:${location.line}`;
  else if (location.row !== undefined) text += ` row ${location.row}`;
  return location.field === undefined ? text : `${text}: ${location.field}`;
}
