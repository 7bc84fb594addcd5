import { formatDuration } from '../../../time/duration.js';
import { formatInstant } from '../../../time/formatInstant.js';
import type { AnswerVerdict, EntryFinding } from '../AnswerAuditor.js';
import type { AuditStatus } from '../auditLog.js';

/** What a status means, as a sentence about the whole audit. */
export const statusMeaning: Record<AuditStatus, string> = {
  pass: 'Every used entry, and every event that it depends on, was observed strictly before its answer was asked for.',
  partial: 'No violation was found, but some entries could not be checked.',
  faulty: 'No violation was found, but the logs contradict themselves or are incomplete, so nothing is certain.',
  violation: 'Answers used something that was not observed strictly before they were asked for.',
};

/** The finding that stands for an answer: its first offence, else its first gap; null for a passing answer. */
export function headFinding(verdict: AnswerVerdict): EntryFinding | null {
  return verdict.firstOffence ?? verdict.firstGap;
}

/** A finding in words, such as `event m9 was observed 3s after the answer (…), by way of m4 → m7 → m9`. */
export function describeFinding(finding: EntryFinding, askedAt: number | null): string {
  const way = finding.path.length > 1 ? `, by way of ${describePath(finding)}` : '';
  const event = finding.event ?? finding.entry;
  switch (finding.reason) {
    case 'later': {
      const observed = finding.observedAt!;
      return `event ${event} was observed ${formatDuration(observed - askedAt!)} after the answer was asked for, at ${formatInstant(observed)}${way}`;
    }
    case 'same-instant':
      return `event ${event} was observed at the very instant at which the answer was asked for${way}`;
    case 'untimed':
      return finding.event === null
        ? `event ${event} depends on an event without an observation time`
        : `event ${event} has no observation time${way}`;
    case 'unknown':
      return finding.event === null
        ? `event ${event} depends on an event that no record describes`
        : `no record describes event ${event}${way}`;
    case 'cyclic':
      return `event ${event} depends on events that depend on one another`;
    case 'no-id':
      return 'an entry has no id';
    case 'answer-untimed':
      return `the answer has no time to compare event ${event} with`;
    case 'not-recorded':
      return 'the answer does not record what it used';
  }
}

/** Ids of the path with arrows between, and the number of those left out. */
export function describePath({ path, omitted }: EntryFinding): string {
  if (omitted === 0) return path.join(' → ');
  return [...path.slice(0, -1), `${groupDigits(omitted)} more`, path.at(-1)!].join(' → ');
}

/** 1234567 as 1,234,567, whatever the locale. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A rate with four significant digits; a rate that is not 0 or 1 never reads as either. */
export function formatRate(rate: number): string {
  if (rate > 0.9999 && rate < 1) return '> 0.9999';
  return rate !== 0 && rate < 0.0001 ? '< 0.0001' : String(Number(rate.toPrecision(4)));
}

/** Text out of a foreign log, safe to print: control characters (which could steer a terminal) spelt out, and cut off. */
export function printable(text: string, longest: number): string {
  const safe = text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
  return safe.length > longest ? `${safe.slice(0, longest - 1)}…` : safe;
}
