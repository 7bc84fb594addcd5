import type { Analyzer } from './Analyzer.js';

const asciiTerm = /[a-z0-9]+/g;
const beyondAscii = /[^\p{ASCII}]/u;
const term = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/**
 * Analyzer `plain` (specification, base retrieval): NFKC, then lower case by Unicode's rules (no locale), then maximal
 * runs of letters and digits.
 *
 * Combining marks (ours): a mark goes on a run that a letter or digit began, and never begins one. Otherwise the vowel
 * signs of Hindi or Thai would cut their words apart, and `İstanbul`, whose lower case is `i`, U+0307, `stanbul`, would
 * be two terms. UAX #29 keeps marks with their base likewise.
 */
export const plain: Analyzer = {
  id: 'plain/1',
  tokenize: (text) => (beyondAscii.test(text) ? tokenizeUnicode(text) : tokenizeAscii(text)),
};

/** The rule as stated; any text. */
export function tokenizeUnicode(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(term) ?? [];
}

/** The same rule where it needs neither NFKC nor Unicode classes; for text of ASCII characters alone. */
export function tokenizeAscii(text: string): string[] {
  return text.toLowerCase().match(asciiTerm) ?? [];
}
