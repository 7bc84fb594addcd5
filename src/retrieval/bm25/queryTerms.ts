import type { IndexSnapshot } from './IndexSnapshot.js';

/** A distinct term of a query that some live document of the snapshot holds. */
export interface QueryTerm {
  /** Number of the term in the index. */
  readonly term: number;
  /** How often the query holds it. */
  readonly count: number;
  /** Live documents that hold it, at least 1. */
  readonly documentFrequency: number;
}

/** Distinct terms of a query in the order in which BM25 sums them: rarest first, then by first position. */
export function queryTerms(tokens: readonly string[], snapshot: IndexSnapshot): QueryTerm[] {
  const counts = new Map<number, number>();
  for (const token of tokens) {
    const term = snapshot.index.termNumber(token);
    if (term !== undefined) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const terms: QueryTerm[] = [];
  for (const [term, count] of counts) {
    const documentFrequency = snapshot.documentFrequency(term);
    if (documentFrequency > 0) terms.push({ term, count, documentFrequency });
  }
  return terms.sort((a, b) => a.documentFrequency - b.documentFrequency); // stable: equal ones stay in query order
}
