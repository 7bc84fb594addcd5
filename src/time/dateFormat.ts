import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { type DateTimeParts, readParts, type TextReading } from './isoText.js';

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** What a token of a pattern stands for, and what it matches. */
const tokens: Record<string, { part: string; source: string }> = {
  YYYY: { part: 'year', source: '\\d{4}' },
  MMM: { part: 'monthName', source: monthNames.join('|') },
  MM: { part: 'month', source: '\\d{2}' },
  M: { part: 'month', source: '\\d{1,2}' },
  DD: { part: 'day', source: '\\d{2}' },
  D: { part: 'day', source: '\\d{1,2}' },
  HH: { part: 'hour', source: '\\d{2}' },
  H: { part: 'hour', source: '\\d{1,2}' },
  hh: { part: 'hour12', source: '\\d{2}' },
  h: { part: 'hour12', source: '\\d{1,2}' },
  mm: { part: 'minute', source: '\\d{2}' },
  ss: { part: 'second', source: '\\d{2}' },
  S: { part: 'fraction', source: '\\d+' },
  A: { part: 'meridiem', source: 'am|pm' },
  Z: { part: 'offset', source: 'z|[+-]\\d{2}(?::?\\d{2})?' },
};

const tokenPattern = /\[([^\]]*)\]|([A-Za-z])\2*|[^A-Za-z[]/g;

/** A pattern such as `DD/MM/YYYY HH:mm`, ready to read texts. */
export interface DateFormat {
  readonly pattern: string;
  /** Whether a text in this format has a time of day but no offset, so that it needs a zone. */
  readonly isLocal: boolean;
  read(text: string): TextReading;
}

/**
 * Compiles a date format. Tokens: `YYYY`, `MM` `M` `MMM` (Jan to Dec), `DD` `D`, `HH` `H`, `hh` `h` with `A` (am, pm),
 * `mm`, `ss`, `S` (a fraction of any length), `Z` (Z or an offset); text in brackets and all punctuation stand for
 * themselves. A doubled letter means exactly that many digits, a single one means one or two. Letters in the data match
 * in either case. The pattern is the whole text, and must fix the day: year, month and day are required, and two-digit
 * years have no token, because their century would be a guess.
 *
 * @throws InvalidArgumentError for a pattern that cannot fix an instant
 */
export function compileDateFormat(pattern: string): DateFormat {
  const reject = (expected: string): never => {
    throw new InvalidArgumentError({ argument: 'dateFormat', value: pattern, expected });
  };
  if (/\[[^\]]*$/.test(pattern)) return reject('every [ to have its ]');
  const parts = new Set<string>();
  let source = '';
  for (const match of pattern.matchAll(tokenPattern)) {
    const [text, literal, letter] = match;
    if (letter === undefined) {
      source += escapeForRegExp(literal ?? text);
      continue;
    }
    const token = tokens[text];
    if (token === undefined) return reject(`tokens out of ${Object.keys(tokens).join(' ')}, not ${text}`);
    if (parts.has(token.part)) return reject(`one token for the ${token.part}`);
    parts.add(token.part);
    source += `(?<${token.part}>${token.source})`;
  }
  if (parts.has('month') && parts.has('monthName')) return reject('one token for the month');
  if (parts.has('hour') && parts.has('hour12')) return reject('one token for the hour');
  if (!parts.has('year') || !parts.has('day') || !(parts.has('month') || parts.has('monthName'))) {
    return reject('YYYY, a month and a day');
  }
  if (parts.has('hour12') !== parts.has('meridiem')) return reject('h and A together');
  const hasTime = parts.has('hour') || parts.has('hour12');
  const smaller = ['minute', 'second', 'fraction'].map((part) => parts.has(part));
  const complete = hasTime ? smaller.lastIndexOf(true) < smaller.filter(Boolean).length : !smaller.includes(true);
  if (!complete) return reject('no smaller unit of time without the larger ones');
  if (!hasTime && parts.has('offset')) return reject('a time of day beside the offset');

  const expression = new RegExp(`^${source}$`, 'i');
  const expected = `a date in the format ${pattern}`;
  return {
    pattern,
    isLocal: hasTime && !parts.has('offset'),
    read(text) {
      const groups = expression.exec(text)?.groups;
      const read = groups === undefined ? undefined : partsOf(groups);
      return read === undefined ? { kind: 'fault', expected } : readParts(read);
    },
  };
}

function partsOf(groups: Record<string, string | undefined>): DateTimeParts | undefined {
  const { year, day, monthName, month, meridiem, hour12 } = groups;
  let hour = groups.hour;
  if (hour12 !== undefined) {
    const onDial = Number(hour12);
    if (onDial < 1 || onDial > 12) return undefined;
    hour = String((onDial % 12) + (meridiem?.toLowerCase() === 'pm' ? 12 : 0));
  }
  return {
    year: year!,
    month: month ?? String(monthNames.indexOf(monthName!.toLowerCase()) + 1),
    day: day!,
    hour,
    minute: groups.minute,
    second: groups.second,
    fraction: groups.fraction,
    offset: groups.offset,
  };
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
