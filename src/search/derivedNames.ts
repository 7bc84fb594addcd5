import type { Analyzer } from '../retrieval/analysis/Analyzer.js';

/** Names under which the files that search needs are registered with a segment. */
export const derivedNames = {
  /** Inverted index of the texts; an analyzer that changes gets files of its own. */
  lexical: ({ id }: Analyzer) => `bm25.${id.replaceAll(/[^A-Za-z0-9.-]/g, '-')}`,
  /** Vectors of the texts, row for row. */
  vectors: 'vectors',
  /** What made the vectors. */
  embedder: 'embedder.json',
} as const;
