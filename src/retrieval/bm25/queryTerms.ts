import type { CollectionStatistics } from './CollectionStatistics.js';

/** A distinct term of a query that some live document of the collection holds. */
export interface QueryTerm {
  readonly token: string;
  /** How often the query holds it. */
  readonly count: number;
  /** Live documents that hold it, at least 1. */
  readonly documentFrequency: number;
}

/** Distinct terms of a query in the order in which BM25 sums them: rarest first, then by first position. */
export function queryTerms(tokens: readonly string[], statistics: CollectionStatistics): QueryTerm[] {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const terms: QueryTerm[] = [];
  for (const [token, count] of counts) {
    const documentFrequency = statistics.documentFrequencyOf(token);
    if (documentFrequency > 0) terms.push({ token, count, documentFrequency });
  }
  return terms.sort((a, b) => a.documentFrequency - b.documentFrequency); // stable: equal ones stay in query order
}
