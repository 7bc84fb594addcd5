import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** The number that an option's text is; undefined where the option is absent. @throws InvalidArgumentError for another text */
export function numberFrom(argument: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError({ argument, value: text, expected: 'a number' });
  return value;
}
