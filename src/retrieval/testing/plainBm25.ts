import { compareRanked } from '../ranking.js';

/** A ranked list, best first. */
export interface PlainList {
  readonly rows: number[];
  readonly scores: number[];
}

/** What the plain scorer ranks: the live documents of a snapshot, as terms, and how ties between rows resolve. */
export interface PlainCollection {
  readonly documents: ReadonlyMap<number, readonly string[]>;
  readonly idOrder: ArrayLike<number>;
}

/** Lucene's length bytes, decoded, as a table: what a length is rounded down to (verified against Lucene by the benchmark). */
function roundDownLikeLucene(length: number): number {
  if (length < 40) return length;
  let step = 2;
  let value = 40;
  for (;;) {
    for (let i = 0; i < 8; i++) {
      if (length < value + step) return value;
      value += step;
    }
    step *= 2;
  }
}

/**
 * BM25 written down from the formula, document by document, with no index: the slow twin of `Bm25Retriever`. Sums run
 * from the rarest term to the most frequent, then by first position in the query.
 */
export function plainBm25(
  { documents, idOrder }: PlainCollection,
  query: readonly string[],
  depth: number,
  parameters: { k1: number; b: number; lengths: 'exact' | 'lucene' },
): PlainList {
  const { k1, b, lengths } = parameters;
  const n = documents.size;
  let total = 0;
  for (const document of documents.values()) total += document.length;
  const df = (term: string) => [...documents.values()].filter((document) => document.includes(term)).length;
  const terms = [...new Set(query)]
    .map((term, position) => ({ term, position, df: df(term), count: query.filter((word) => word === term).length }))
    .sort((x, y) => x.df - y.df || x.position - y.position);
  const scored: { row: number; score: number }[] = [];
  for (const [row, document] of documents) {
    const length = lengths === 'lucene' ? roundDownLikeLucene(document.length) : document.length;
    let score = 0;
    for (const { term, df, count } of terms) {
      const tf = document.filter((word) => word === term).length;
      if (tf === 0) continue;
      const idf = Math.log(1 + (n - df + 0.5) / (df + 0.5));
      score += count * idf * (tf / (tf + k1 * (1 - b + (b * length) / (total / n))));
    }
    if (score > 0) scored.push({ row, score });
  }
  scored.sort((x, y) => compareRanked(x.score, idOrder[x.row]!, y.score, idOrder[y.row]!));
  const top = scored.slice(0, depth);
  return { rows: top.map(({ row }) => row), scores: top.map(({ score }) => score) };
}
