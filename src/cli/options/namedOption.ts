import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** Names the option in an error about its value. */
export function namedOption<T>(option: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw new InvalidArgumentError({ argument: option, value: cause.value, expected: cause.expected, cause });
  }
}
