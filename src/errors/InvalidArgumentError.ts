import { AsofError } from './AsofError.js';
import { quoteValue } from './quoteValue.js';

/** A parameter of a function, a flag or a key of a configuration has a value that cannot be used. */
export class InvalidArgumentError extends AsofError {
  readonly code = 'ASOF_INVALID_ARGUMENT';
  readonly argument: string;
  readonly value: unknown;
  readonly expected: string;

  constructor(options: { argument: string; value: unknown; expected: string; cause?: unknown }) {
    super(`${options.argument}: got ${quoteValue(options.value)}, expected ${options.expected}`, {
      cause: options.cause,
    });
    this.argument = options.argument;
    this.value = options.value;
    this.expected = options.expected;
  }
}
