import { AsofError } from './AsofError.js';
import type { InputLocation } from './inputLocation.js';
import { quoteValue } from './quoteValue.js';
import { commandLine, say, type Wording, wording } from './wording.js';

export type { InputLocation } from './inputLocation.js';

/** A file, or a record in one, does not hold what its format promises. */
export class InvalidInputError extends AsofError {
  readonly code = 'ASOF_INVALID_INPUT';
  readonly location: InputLocation;
  readonly value: unknown;
  readonly expected: string;

  constructor(options: { location: InputLocation; expected: string | Wording; value?: unknown; cause?: unknown }) {
    const { location, value, expected, cause } = options;
    super(wording`${{ place: location }}: got ${quoteValue(value)}, expected ${expected}`, { cause });
    this.location = location;
    this.value = value;
    this.expected = say(expected, commandLine);
  }
}
