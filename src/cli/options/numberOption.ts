import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** The number that an option was given, undefined where it was not. @throws InvalidArgumentError when it is none */
export function numberOption(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError({ argument: option, value: text, expected: 'a number' });
}

/** Likewise a count, in decimal digits. @throws InvalidArgumentError when it is no integer of at least `least` */
export function countOption(option: string, text: string | undefined, least = 1): number | undefined {
  if (text === undefined) return undefined;
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidArgumentError({ argument: option, value: text, expected: `an integer of at least ${least}` });
}
