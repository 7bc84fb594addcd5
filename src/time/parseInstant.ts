import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { quoteValue } from '../errors/quoteValue.js';
import { compileDateFormat } from './dateFormat.js';
import { type EpochUnit, epochReadings, epochUnits, isDecimal, readCommonEpoch, readEpoch } from './epoch.js';
import { firstInstant, type Instant, lastInstant } from './instant.js';
import { readCommonIsoText, readIsoText, type TextReading } from './isoText.js';
import { type Resolution, TimeZone } from './zone.js';

/** The one format of the times in a file. Without `epoch` and `dateFormat` it is ISO 8601. */
export interface InstantFormat {
  /** IANA zone of date-times without offset, for example `America/New_York`. Without it they are errors. */
  zone?: string | undefined;
  /** Times are numbers (or their decimal texts) that count this unit since the Unix epoch. */
  epoch?: EpochUnit | undefined;
  /** Times are texts in this format, for example `DD/MM/YYYY`; see `compileDateFormat`. */
  dateFormat?: string | undefined;
}

/** An instant, and what its reading had to decide. */
export interface ParsedInstant {
  instant: Instant;
  /** How a local time was resolved; `exact` for all else. */
  resolution: Resolution;
  /** Whether digits below a millisecond were cut off. */
  truncated: boolean;
}

/** Reads times of one format. */
export interface InstantParser {
  /**
   * @throws InvalidArgumentError when the value is no time in this format; its `expected` says what would be
   */
  parse(value: unknown): Instant;
  /** The same, reporting a local time that a clock change skipped or doubled, and digits that were cut. */
  parseDetailed(value: unknown): ParsedInstant;
}

/**
 * Parses a time; the rules are those of temporal-layer.md, section 1.
 *
 * - RFC 3339 and ISO 8601 calendar dates, with offset. A date alone is its 00:00 UTC, with `zone` or without.
 * - A date-time without offset needs `zone`. A local time that a clock change skipped or doubled is resolved as
 *   `Resolution` says.
 * - Numbers need `epoch`; their size is never a hint. The order of day and month is never guessed: `dateFormat`.
 * - Digits below a millisecond are cut off, towards the past. So order is kept: of two times the later one never
 *   becomes the earlier.
 * - Years 0001 to 9999, in the text and in UTC.
 *
 * The machine's own time zone and locale have no part in it.
 *
 * @throws InvalidArgumentError when the value is no time in this format, or the format itself cannot be used
 */
export function parseInstant(value: unknown, format: InstantFormat = {}): Instant {
  return instantParser(format).parse(value);
}

/** `parseInstant`, with what the reading had to decide. */
export function parseInstantDetailed(value: unknown, format: InstantFormat = {}): ParsedInstant {
  return instantParser(format).parseDetailed(value);
}

/**
 * Prepares the parser of a format once for many values.
 *
 * @throws InvalidArgumentError when the format cannot be used
 */
export function instantParser(format: InstantFormat = {}): InstantParser {
  const isPlain = format.zone === undefined && format.epoch === undefined && format.dateFormat === undefined;
  return isPlain ? plainParser : buildParser(format);
}

const plainParser = buildParser({});

function buildParser(format: InstantFormat): InstantParser {
  const { epoch, zone: zoneName, dateFormat: pattern } = format;
  const zone = zoneName === undefined ? undefined : TimeZone.named(zoneName);
  if (epoch !== undefined) {
    if (pattern !== undefined) {
      throw new InvalidArgumentError({ argument: 'dateFormat', value: pattern, expected: 'no date format with epoch' });
    }
    if (!epochUnits.includes(epoch)) {
      throw new InvalidArgumentError({ argument: 'epoch', value: epoch, expected: epochUnits.join(', ') });
    }
    const parseDetailed = (value: unknown) => parseEpoch(value, epoch);
    return { parse: (value) => parseDetailed(value).instant, parseDetailed };
  }

  const dateFormat = pattern === undefined ? undefined : compileDateFormat(pattern);
  if (dateFormat?.isLocal && zone === undefined) {
    throw new InvalidArgumentError({
      argument: 'dateFormat',
      value: pattern,
      expected: 'an offset token Z, or a zone beside it: a time of day alone does not fix an instant',
    });
  }
  const localIsUtc = zone?.name === 'UTC';
  const readCommon = (value: unknown): number =>
    dateFormat === undefined && typeof value === 'string' ? readCommonIsoText(value, localIsUtc) : Number.NaN;
  const parseRest = (value: unknown): ParsedInstant => {
    if (typeof value !== 'string') throw noText(value, pattern);
    if (dateFormat !== undefined) return resolve(value, dateFormat.read(value), zone);
    if (isDecimal(value)) throw noText(value, pattern);
    return resolve(value, readIsoText(value), zone);
  };
  return {
    parse(value) {
      const common = readCommon(value);
      return Number.isNaN(common) ? parseRest(value).instant : common;
    },
    parseDetailed(value) {
      const common = readCommon(value);
      return Number.isNaN(common) ? parseRest(value) : { instant: common, resolution: 'exact', truncated: false };
    },
  };
}

function resolve(value: string, reading: TextReading, zone: TimeZone | undefined): ParsedInstant {
  if (reading.kind === 'fault') throw notATime(value, reading.expected);
  const { truncated } = reading;
  if (reading.kind === 'instant') return { instant: reading.instant, resolution: 'exact', truncated };
  if (zone === undefined) {
    throw notATime(value, 'an offset (such as Z or +02:00) at the end, or a zone set for times without one');
  }
  const { instant, resolution } = zone.resolve(reading.local);
  if (instant < firstInstant || instant > lastInstant) throw notATime(value, 'a year in 0001 to 9999, in UTC');
  return { instant, resolution, truncated };
}

function parseEpoch(value: unknown, epoch: EpochUnit): ParsedInstant {
  const common = readCommonEpoch(value, epoch);
  if (!Number.isNaN(common)) return { instant: common, resolution: 'exact', truncated: false };
  const expected = `a decimal number of ${epoch} since the epoch, in years 0001 to 9999`;
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw notATime(value, `${expected}, as a text: as a number it has lost digits already`);
  }
  const text = typeof value === 'string' ? value : isNumber(value) ? String(value) : undefined;
  const reading = text === undefined ? undefined : readEpoch(text, epoch);
  if (reading === undefined) throw notATime(value, expected);
  return { ...reading, resolution: 'exact' };
}

/** The error for a value that is no text, or a text that is a bare number, where texts are dates. */
function noText(value: unknown, pattern: string | undefined): InvalidArgumentError {
  if (pattern !== undefined) return notATime(value, `a date in the format ${pattern}`);
  const text = isNumber(value) ? String(value) : value;
  if (typeof text !== 'string' || !isDecimal(text)) return notATime(value, 'a date or date-time as text');
  const readings = epochReadings(text);
  if (readings === '')
    return notATime(value, 'a date or date-time as text; no epoch unit brings it into years 0001 to 9999');
  return notATime(value, `an epoch unit for the number ${quoteValue(value)}: ${readings}`);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function notATime(value: unknown, expected: string): InvalidArgumentError {
  return new InvalidArgumentError({ argument: 'time', value, expected });
}
