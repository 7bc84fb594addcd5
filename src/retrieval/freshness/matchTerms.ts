import type { Analyzer } from '../analysis/Analyzer.js';
import { namenessOf } from '../analysis/names.js';
import type { SegmentedSnapshot } from '../bm25/SegmentedSnapshot.js';
import { termMatrix } from '../bm25/termMatrix.js';
import type { CandidateTerms } from './candidates.js';
import { type QueryTerm, readQueryTerms } from './queryForms.js';

/** Where the statistics of terms come from. */
export interface TermStatistics {
  readonly words: SegmentedSnapshot;
  /** The same snapshot of an index by `namesOf` the analyzer; absent: idf alone weighs the terms. */
  readonly names?: SegmentedSnapshot | undefined;
}

/**
 * The live rows of a snapshot that hold a term of a query, ascending, and the terms: what the method `coverage` ranks.
 * Costs the length of the terms' postings and a pass over the snapshot's rows.
 *
 * @param statistics those of the snapshot, as they must be, unless something is to be shown about others
 */
export function matchTerms(
  snapshot: SegmentedSnapshot,
  query: string,
  analyzer: Analyzer,
  statistics: TermStatistics,
): { rows: Uint32Array; terms: CandidateTerms } {
  const { words, names } = statistics;
  const terms = readQueryTerms(query, analyzer, words);
  const held = holdersOf(snapshot, terms);
  const { formCounts } = words === snapshot ? held : holdersOf(words, terms);
  const documentFrequencies = Uint32Array.from(formCounts, (counts) => counts.reduce((sum, count) => sum + count, 0));
  const namenesses =
    names &&
    Float64Array.from(terms, ({ forms }, term) => {
      if (documentFrequencies[term] === 0) return namenessOf(forms[0]![0]!, words, names);
      // The mean over the documents, each by the form in which it holds the term.
      let sum = 0;
      for (const [form, tokens] of forms.entries()) {
        const nameness = Math.min(...tokens.map((token) => namenessOf(token, words, names)));
        sum += formCounts[term]![form]! * nameness;
      }
      return sum / documentFrequencies[term]!;
    });
  return {
    rows: held.rows,
    terms: {
      texts: terms.map(({ text }) => text),
      documentFrequencies,
      namenesses,
      documentCount: words.documentCount,
      frequencies: held.frequencies,
    },
  };
}

/** Rows that hold a term, [n, terms] how often, and by how many rows each form of each term comes in first. */
function holdersOf(snapshot: SegmentedSnapshot, terms: readonly QueryTerm[]) {
  const tokens = [...new Set(terms.flatMap(({ forms }) => forms.flat()))];
  const columnOf = new Map(tokens.map((token, column) => [token, column]));
  const columns = terms.map(({ forms }) => forms.map((form) => form.map((token) => columnOf.get(token)!)));
  const matrix = termMatrix(snapshot, tokens);
  const rows = new Uint32Array(matrix.rows.length);
  const frequencies = new Uint8Array(rows.length * terms.length);
  const formCounts = terms.map(({ forms }) => forms.map(() => 0));
  let count = 0;
  for (let at = 0; at < rows.length; at++) {
    let isHeld = false;
    for (const [term, forms] of columns.entries()) {
      let frequency = 0;
      for (const [form, places] of forms.entries()) {
        let least = 255;
        for (const place of places) least = Math.min(least, matrix.frequencies[at * tokens.length + place]!);
        if (frequency === 0 && least > 0) formCounts[term]![form]!++;
        frequency = Math.max(frequency, least);
      }
      frequencies[count * terms.length + term] = frequency;
      isHeld ||= frequency > 0;
    }
    // A row with one part of a parted name holds nothing.
    if (isHeld) rows[count++] = matrix.rows[at]!;
  }
  return { rows: rows.slice(0, count), frequencies: frequencies.slice(0, count * terms.length), formCounts };
}
