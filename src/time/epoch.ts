import { formatInstant } from './formatInstant.js';
import { type Instant, isInstant, millisecondsPerSecond } from './instant.js';

/** Unit of a number that counts from the Unix epoch: seconds, milliseconds, microseconds, nanoseconds. */
export type EpochUnit = 's' | 'ms' | 'us' | 'ns';

export const epochUnits: readonly EpochUnit[] = ['s', 'ms', 'us', 'ns'];

const nanosecondsPerUnit: Record<EpochUnit, bigint> = { s: 1_000_000_000n, ms: 1_000_000n, us: 1_000n, ns: 1n };
const nanosecondsPerMillisecond = 1_000_000n;
const decimalPattern = /^([+-]?)(\d+)(?:\.(\d+))?$/;

/** Whether a text is a plain decimal number: what needs an epoch unit, or a date format, to be a time. */
export function isDecimal(text: string): boolean {
  return decimalPattern.test(text);
}

/**
 * Reads a plain decimal number as a count of units since the epoch, exactly, cut to milliseconds towards the past.
 * Undefined when it is no plain decimal number or lies outside years 0001 to 9999.
 */
export function readEpoch(text: string, unit: EpochUnit): { instant: Instant; truncated: boolean } | undefined {
  const match = decimalPattern.exec(text);
  if (match === null) return undefined;
  const [, sign, whole, fraction = ''] = match;
  const scale = 10n ** BigInt(fraction.length);
  const digits = BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`) * nanosecondsPerUnit[unit];
  const divisor = nanosecondsPerMillisecond * scale;
  let milliseconds = digits / divisor;
  const rest = digits % divisor;
  if (rest < 0n) milliseconds -= 1n;
  const instant = Number(milliseconds);
  return isInstant(instant) ? { instant, truncated: rest !== 0n } : undefined;
}

/**
 * `readEpoch` for the common case, a number that holds whole seconds or milliseconds, many times as fast. NaN for all
 * else, which is for `readEpoch`.
 */
export function readCommonEpoch(value: unknown, unit: EpochUnit): number {
  if (!Number.isSafeInteger(value) || (unit !== 's' && unit !== 'ms')) return Number.NaN;
  const instant = (value as number) * (unit === 's' ? millisecondsPerSecond : 1);
  return isInstant(instant) ? instant : Number.NaN;
}

/** The two coarsest units in which a number is a time in years 0001 to 9999, spelt out, for an error message. */
export function epochReadings(text: string): string {
  const readings: string[] = [];
  for (const unit of epochUnits) {
    const reading = readEpoch(text, unit);
    if (reading !== undefined) readings.push(`${unit} (${formatInstant(reading.instant)})`);
  }
  return readings.slice(0, 2).join(' or ');
}
