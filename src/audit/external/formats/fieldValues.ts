import { InvalidArgumentError } from '../../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../../errors/InvalidInputError.js';
import type { Instant } from '../../../time/instant.js';
import type { InstantParser } from '../../../time/parseInstant.js';
import { longestId } from '../IdTable.js';

/** Whether a field is not there, or is there without a value. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** Where a record starts. The field is passed beside it, so that a record without fault allocates no location. */
export interface RecordStart {
  readonly file: string;
  readonly line: number;
}

/**
 * An id: a text that is not empty, or an integer, which becomes its decimal text.
 * @throws InvalidInputError for anything else, and for an id of more than 65,535 code units
 */
export function idOf(value: unknown, start: RecordStart, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= longestId) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  throw fieldFault(start, field, value, `an id: a text of 1 to ${longestId} characters, or an integer`);
}

/**
 * The ids of a list. An element without a value gives undefined.
 * @throws InvalidInputError when it is no list, or an element is no id
 */
export function idsOf(value: unknown, start: RecordStart, field: string): (string | undefined)[] {
  if (!Array.isArray(value)) throw fieldFault(start, field, value, 'a list of event ids');
  return value.map((element) => (isAbsent(element) ? undefined : idOf(element, start, field)));
}

/**
 * A time in the parser's format; undefined when there is none.
 * @throws InvalidInputError when it is no such time
 */
export function timeOf(value: unknown, parser: InstantParser, start: RecordStart, field: string): Instant | undefined {
  if (isAbsent(value)) return undefined;
  try {
    return parser.parse(value);
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw fieldFault(start, field, cause.value, cause.expected, cause);
  }
}

/** The error for a field that is not what it should be. */
export function fieldFault(
  { file, line }: RecordStart,
  field: string,
  value: unknown,
  expected: string,
  cause?: unknown,
): InvalidInputError {
  return new InvalidInputError({ location: { file, line, field }, value: value ?? undefined, expected, cause });
}
