import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { millisecondsPerDay, millisecondsPerHour, millisecondsPerMinute, millisecondsPerSecond } from './instant.js';

/** A length of time in milliseconds; an integer, not negative. A day is 24 hours. */
export type Duration = number;

/** Units from the longest down; a duration names each at most once, in this order. */
const units: readonly { suffix: string; iso: string; milliseconds: number }[] = [
  { suffix: 'w', iso: 'W', milliseconds: 7 * millisecondsPerDay },
  { suffix: 'd', iso: 'D', milliseconds: millisecondsPerDay },
  { suffix: 'h', iso: 'H', milliseconds: millisecondsPerHour },
  { suffix: 'm', iso: 'M', milliseconds: millisecondsPerMinute },
  { suffix: 's', iso: 'S', milliseconds: millisecondsPerSecond },
  { suffix: 'ms', iso: '', milliseconds: 1 },
];

const shortPattern =
  /^(?:(\d+(?:\.\d+)?)w)?(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/;
const isoPattern =
  /^P(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?=\d)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/;
const calendarUnit = /^(?:P[^T]*\d[YM]|[+-]?\d+(?:\.\d+)?\s*(?:M|mo|mon|months?|y|yr|years?)$)/;

/**
 * Parses `14d`, `36h`, `90m` (minutes), `2w`, `30s`, `250ms`, several of them from the longest down (`1d12h`), and
 * ISO 8601 `P14D`, `PT36H`, `P1DT12H`. The last number may have a decimal fraction (`1.5h`, `PT0.5S`).
 *
 * @throws InvalidArgumentError for months and years, which have no fixed length; for a number without unit, a sign, a
 * fraction of a millisecond, and anything else
 */
export function parseDuration(text: string): Duration {
  const reject = (expected: string): never => {
    throw new InvalidArgumentError({ argument: 'duration', value: text, expected });
  };
  if (typeof text !== 'string') return reject('a duration as text, such as 14d');
  if (calendarUnit.test(text)) return reject('a fixed length, in days or weeks: months and years have none');
  const match = (text.startsWith('P') ? isoPattern : shortPattern).exec(text);
  const numbers = match?.slice(1) ?? [];
  const given = numbers.filter((number) => number !== undefined);
  if (given.length === 0) {
    return reject(
      /^\d+(?:\.\d+)?$/.test(text)
        ? `a unit after the number: ${units.map((unit) => unit.suffix).join(', ')}`
        : 'a duration such as 14d, 36h, 90m, 1d12h or P14D',
    );
  }
  if (given.slice(0, -1).some((number) => /[.,]/.test(number))) return reject('a fraction on the last number only');
  let total = 0;
  for (const [index, number] of numbers.entries()) {
    if (number !== undefined) total += exactProduct(number.replace(',', '.'), units[index]!.milliseconds);
  }
  if (!Number.isInteger(total)) return reject('whole milliseconds');
  if (!Number.isSafeInteger(total)) return reject('a length below 285,616 years');
  return total;
}

/** A decimal text times an integer, exact where the product is an integer; else some number that is none. */
function exactProduct(decimal: string, factor: number): number {
  const [whole, fraction = ''] = decimal.split('.');
  const scaled = BigInt(`${whole}${fraction}`) * BigInt(factor);
  const scale = 10n ** BigInt(fraction.length);
  return scaled % scale === 0n ? Number(scaled / scale) : 0.5;
}

/**
 * The one text form of a duration: days and smaller units, without zero parts: `14d`, `1d12h`, `1h30m`, `250ms`;
 * nothing at all is `0s`. Weeks are written as days, as half-lives usually are. `parseDuration` reads it back.
 *
 * @throws InvalidArgumentError for a number that is no integer, or is negative
 */
export function formatDuration(duration: Duration): string {
  if (!Number.isSafeInteger(duration) || duration < 0) {
    throw new InvalidArgumentError({
      argument: 'duration',
      value: duration,
      expected: 'whole milliseconds, 0 or more',
    });
  }
  let text = '';
  let rest = duration;
  for (const { suffix, milliseconds } of units.slice(1)) {
    const count = Math.floor(rest / milliseconds);
    rest -= count * milliseconds;
    if (count > 0) text += `${count}${suffix}`;
  }
  return text === '' ? '0s' : text;
}
