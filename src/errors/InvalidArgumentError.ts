import { AsofError } from './AsofError.js';
import { quoteValue } from './quoteValue.js';
import { commandLine, say, type Wording, wording } from './wording.js';

/** A parameter of a function, a flag or a key of a configuration has a value that cannot be used. */
export class InvalidArgumentError extends AsofError {
  readonly code = 'ASOF_INVALID_ARGUMENT';
  readonly argument: string;
  readonly value: unknown;
  readonly expected: string;

  constructor(options: { argument: string | Wording; value: unknown; expected: string | Wording; cause?: unknown }) {
    const { argument, value, expected, cause } = options;
    const name = typeof argument === 'string' ? { argument } : argument;
    super(wording`${name}: got ${quoteValue(value)}, expected ${expected}`, { cause });
    this.argument = say(argument, commandLine);
    this.value = value;
    this.expected = say(expected, commandLine);
  }
}
