import type { InputLocation, InvalidInputError } from '../../errors/InvalidInputError.js';
import type { SourceRecord } from './fieldExpression.js';

/** A record of a file, or why it is none; a fault leaves the rest of the file readable. */
export type LocatedRecord = { readonly location: InputLocation } & (
  | { readonly record: SourceRecord }
  | { readonly fault: InvalidInputError }
);
