import type { Analyzer } from '../analysis/Analyzer.js';
import type { SegmentedSnapshot } from '../bm25/SegmentedSnapshot.js';
import { termMatrix } from '../bm25/termMatrix.js';

/** A term of a query, and the ways in which a text may write it. */
export interface QueryTerm {
  readonly text: string;
  /** A text holds the term if it holds every word of one of these. The first is the term itself. */
  readonly forms: readonly (readonly string[])[];
}

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** `what's`: the letter is no word of its own. */
const clitic = /(?<=\p{L})['\u2019]s(?![\p{L}\p{N}])/giu;
/** Longer words are not taken apart. */
const longestParted = 40;

/**
 * The terms of a query as the texts of a snapshot may write them: names are joined in one text and parted in the next
 * (`open-xchange`, `openxchange`; `SD 212`, `sd212`).
 * - Two words side by side are also read as one, where a text of the snapshot has it.
 * - A word that no text has is read without its final s, or else in the two parts that most texts have together, cut where
 *   letters meet digits if that gives any.
 *
 * Only what the snapshot's live documents hold counts as known, so later texts change nothing.
 */
export function readQueryTerms(query: string, analyzer: Analyzer, snapshot: SegmentedSnapshot): QueryTerm[] {
  const text = query.normalize('NFKC').replace(clitic, '');
  const forms = new Map<string, string[][]>(analyzer.tokenize(text).map((term) => [term, [[term]]]));
  const known = (letters: string) => knownTerm(letters, analyzer, snapshot);
  const words = Array.from(text.matchAll(word), ([found]) => found);
  for (const [at, found] of words.entries()) {
    const [term, ...others] = analyzer.tokenize(found);
    const own = term === undefined || others.length > 0 ? undefined : forms.get(term);
    if (own === undefined) continue;
    for (const joined of [at > 0 && words[at - 1]! + found, at + 1 < words.length && found + words[at + 1]!]) {
      const together = joined ? known(joined) : undefined;
      if (together !== undefined) own.push([together]);
    }
    if (snapshot.documentFrequencyOf(term!) > 0) continue;
    const singular = /...s$/i.test(found) ? known(found.slice(0, -1)) : undefined;
    const parts = singular === undefined ? partsOf(found, known, snapshot) : [singular];
    if (parts !== undefined) own.push(parts);
  }
  return Array.from(forms, ([term, ways]) => ({ text: term, forms: ways }));
}

/** The term of some letters, if some live document holds it. */
function knownTerm(letters: string, analyzer: Analyzer, snapshot: SegmentedSnapshot): string | undefined {
  const [term, ...others] = analyzer.tokenize(letters);
  return term !== undefined && others.length === 0 && snapshot.documentFrequencyOf(term) > 0 ? term : undefined;
}

/** The two known parts of a word that most documents hold together; the first such cut; undefined where none do. */
function partsOf(
  found: string,
  known: (letters: string) => string | undefined,
  snapshot: SegmentedSnapshot,
): [string, string] | undefined {
  const letters = Array.from(found);
  if (letters.length > longestParted) return undefined;
  const isDigit = letters.map((letter) => /\p{N}/u.test(letter));
  const cuts = Array.from({ length: letters.length - 1 }, (_, at) => at + 1);
  const boundaries = cuts.filter((cut) => isDigit[cut - 1] !== isDigit[cut]);
  const inner = isDigit.every(Boolean) ? [] : cuts.filter((cut) => cut >= 2 && cut <= letters.length - 2);
  for (const places of [boundaries, inner]) {
    let best: [string, string] | undefined;
    let most = 0;
    for (const cut of places) {
      const first = known(letters.slice(0, cut).join(''));
      const second = first === undefined ? undefined : known(letters.slice(cut).join(''));
      if (first === undefined || second === undefined) continue;
      const count = countTogether(snapshot, first, second);
      if (count > most) [best, most] = [[first, second], count];
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

function countTogether(snapshot: SegmentedSnapshot, first: string, second: string): number {
  if (first === second) return snapshot.documentFrequencyOf(first);
  const { rows, frequencies } = termMatrix(snapshot, [first, second]);
  let count = 0;
  for (let at = 0; at < rows.length; at++) if (frequencies[2 * at]! > 0 && frequencies[2 * at + 1]! > 0) count++;
  return count;
}
