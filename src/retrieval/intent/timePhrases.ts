import type { Instant } from '../../time/instant.js';
import { findNaturalDates, yearOf, yearStretch } from '../../time/naturalDates.js';

/** How a phrase places event times, or the answer itself, in time. */
export type TimeMeaning = 'latest' | 'as of' | 'within' | 'since' | 'after' | 'before' | 'until';

/** Words of a query that speak of time. */
export interface TimePhrase {
  /** The words, as they stand in the query; parts that are apart are joined by ` … `. */
  readonly text: string;
  readonly meaning: TimeMeaning;
  /** The stretch that the words name, `start <= x < end`; both are t where they name none. */
  readonly start: Instant;
  readonly end: Instant;
  /** Whether the stretch counts from t. */
  readonly isRelative: boolean;
  /** Where the words stand, in code units, ascending. */
  readonly pieces: readonly { readonly index: number; readonly length: number }[];
}

interface DateMention {
  readonly index: number;
  readonly length: number;
  readonly start: Instant;
  readonly end: Instant;
  readonly kind: 'absolute' | 'relative' | 'bare';
  readonly isRange: boolean;
  /** Whether it is a date only as the end of a range: `and 2019`. */
  readonly isRangeEnd?: boolean;
}

/** Longest first, so that `as of` is not read as `of`. */
const relations: readonly (readonly [RegExp, TimeMeaning])[] = [
  [/\bas (?:of|at|on)(?: the)?(?: end of)?$/i, 'as of'],
  [/\b(?:before|prior to|earlier than|preceding)$/i, 'before'],
  [/\b(?:after|later than|following)$/i, 'after'],
  [/\b(?:since|from|starting(?: in| on| from)?)$/i, 'since'],
  [/\b(?:until|till|up to|through|by)(?: the end of)?$/i, 'until'],
  [/\b(?:in|during|within|on|of|for|over|between|throughout)(?: the)?$/i, 'within'],
];

/** `before the 2.0 release on <date>`: the relation, some words that say what the date is, and the date. */
const relationAcross = /\b(before|prior to|after|since|until)((?:\s+[^\s,;]+){1,6}?)\s+(?:on|of|in|at)$/i;
const acrossMeanings: Readonly<Record<string, TimeMeaning>> = {
  before: 'before',
  'prior to': 'before',
  after: 'after',
  since: 'since',
  until: 'until',
};

/** A number is a year only after a word that asks for a time: `server 2016` is a product. */
const yearAfterWord =
  /\b(in|during|between|since|before|prior to|earlier than|after|later than|until|till|by|from|through|to|and|as of|as at|throughout|year|end of)\s+((?:19|20)\d\d)\b(?![.\d])/gi;

const latestWords =
  /\b(?:most recent(?:ly)?|up[- ]to[- ]date|(?:latest|newest) first|latest|newest|recent(?:ly)?|current(?:ly)?|new(?:ly)?|lately|nowadays|these days|(?:right )?now)\b/gi;

/** The phrases of a query that speak of time, in order of their first words; relative ones count from t. */
export function findTimePhrases(query: string, t: Instant): TimePhrase[] {
  const mentions = dateMentions(query, t);
  const phrases: TimePhrase[] = [];
  for (let at = 0; at < mentions.length; at++) {
    const first = mentions[at]!;
    const second = mentions[at + 1];
    const range = second === undefined ? undefined : rangeOf(query, first, second);
    if (range !== undefined) {
      phrases.push(range);
      at++;
    } else if (first.isRangeEnd !== true) {
      const phrase = phraseOf(query, first);
      if (phrase !== undefined) phrases.push(phrase);
    }
  }
  const taken = phrases.flatMap(({ pieces }) => pieces);
  for (const { 0: words, index } of query.matchAll(latestWords)) {
    const end = index + words.length;
    if (taken.some((piece) => piece.index < end && index < piece.index + piece.length)) continue;
    if (isPartOfName(query, index, end)) continue;
    phrases.push(newPhrase(query, [{ index, length: words.length }], 'latest', { start: t, end: t, kind: 'relative' }));
  }
  return phrases.sort((a, b) => a.pieces[0]!.index - b.pieces[0]!.index);
}

/** Dates that chrono finds, and years that follow a word which asks for a time, in order, without overlaps. */
function dateMentions(query: string, t: Instant): DateMention[] {
  const mentions: DateMention[] = findNaturalDates(query, t).map(({ text, ...date }) => ({
    ...date,
    length: text.length,
  }));
  const latestYear = yearOf(t) + 1;
  for (const match of query.matchAll(yearAfterWord)) {
    const year = Number(match[2]);
    const index = match.index + match[0].length - 4;
    const overlaps = mentions.some((other) => other.index < index + 4 && index < other.index + other.length);
    if (year > latestYear || overlaps) continue;
    const isRangeEnd = /^(?:and|to)$/i.test(match[1]!);
    mentions.push({ index, length: 4, ...yearStretch(year), kind: 'absolute', isRange: false, isRangeEnd });
  }
  return mentions.sort((a, b) => a.index - b.index);
}

/** `between A and B`, `from A to B`: from the start of A to the end of B. */
function rangeOf(query: string, first: DateMention, second: DateMention): TimePhrase | undefined {
  const firstEnd = first.index + first.length;
  const opening = /\b(?:between|from)\s+(?:the )?$/i.exec(query.slice(0, first.index));
  const joint = /^\s*(?:and|to|until|till|through|-|\u2013)\s*(?:the )?$/i.test(query.slice(firstEnd, second.index));
  if (opening === null || !joint || second.end <= first.start) return undefined;
  const length = second.index + second.length - opening.index;
  const stretch = { start: first.start, end: second.end, kind: 'absolute' as const };
  return newPhrase(query, [{ index: opening.index, length }], 'within', stretch);
}

function phraseOf(query: string, mention: DateMention): TimePhrase | undefined {
  const lead = query.slice(0, mention.index).trimEnd();
  const across = relationAcross.exec(lead);
  if (across !== null) {
    const relation = across[1]!;
    const preposition = /\s+\S+$/.exec(lead)!;
    return newPhrase(
      query,
      [
        { index: across.index, length: relation.length },
        { index: preposition.index, length: mention.index + mention.length - preposition.index },
      ],
      acrossMeanings[relation.toLowerCase()]!,
      mention,
    );
  }
  for (const [pattern, meaning] of relations) {
    const found = pattern.exec(lead);
    if (found === null) continue;
    const length = mention.index + mention.length - found.index;
    // `from` before a range opens it.
    const understood = mention.isRange && meaning === 'since' ? 'within' : meaning;
    return newPhrase(query, [{ index: found.index, length }], understood, mention);
  }
  // A month or a day of the week alone, with no word that makes it a date, is as likely a name.
  if (mention.kind === 'bare') return undefined;
  return newPhrase(query, [{ index: mention.index, length: mention.length }], 'within', mention);
}

/** `New Relic`: a capital on the word and on the next one. */
function isPartOfName(query: string, index: number, end: number): boolean {
  return /^\p{Lu}\p{Ll}/u.test(query.slice(index, end)) && /^\s+\p{Lu}/u.test(query.slice(end));
}

function newPhrase(
  query: string,
  pieces: TimePhrase['pieces'],
  meaning: TimeMeaning,
  { start, end, kind }: Pick<DateMention, 'start' | 'end' | 'kind'>,
): TimePhrase {
  const text = pieces.map(({ index, length }) => query.slice(index, index + length).trim()).join(' … ');
  return { text, meaning, start, end, isRelative: kind === 'relative', pieces };
}
