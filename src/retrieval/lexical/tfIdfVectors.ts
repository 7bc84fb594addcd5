import { compareCodeUnits } from '../../corpus/corpus.js';
import { inverseDocumentFrequency } from '../bm25/formula.js';
import type { IndexSnapshot } from '../bm25/IndexSnapshot.js';
import type { SparseVectors } from '../vectors.js';

/** TF-IDF vectors of texts, and what their term numbers stand for. */
export interface TfIdfVectors {
  readonly vectors: SparseVectors;
  /** Distinct terms of all texts in code-unit order, so that a term's number does not depend on the texts' order. */
  readonly terms: readonly string[];
}

/**
 * TF-IDF vectors of texts, for example of requests (specification, memory views), as of a snapshot of a corpus: component
 * x_t = count(t) * idf(t), with the idf of BM25 (`bm25/formula.ts`), positive for every term and largest for a term that no
 * document of the snapshot holds (df = 0). Term weighting and cosine: Salton and Buckley, "Term-weighting approaches in
 * automatic text retrieval" (1988).
 *
 * The idf is the corpus snapshot's, never the texts' own: the idf of a stream of requests has seen its future.
 */
export function tfIdfVectors(snapshot: IndexSnapshot, texts: readonly string[]): TfIdfVectors {
  const { index, documentCount } = snapshot;
  const counts = texts.map((text) => countTerms(index.analyzer.tokenize(text)));
  const terms = [...new Set(counts.flatMap((ofText) => [...ofText.keys()]))].sort(compareCodeUnits);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const inverseFrequencies = Float64Array.from(terms, (term) => {
    const indexTerm = index.termNumber(term);
    const frequency = indexTerm === undefined ? 0 : snapshot.documentFrequency(indexTerm);
    return inverseDocumentFrequency(documentCount, frequency);
  });
  const offsets = new Uint32Array(texts.length + 1);
  for (const [text, ofText] of counts.entries()) offsets[text + 1] = offsets[text]! + ofText.size;
  const entryTerms = new Uint32Array(offsets[texts.length]!);
  const weights = new Float64Array(entryTerms.length);
  for (const [text, ofText] of counts.entries()) {
    const entries = [...ofText].map(([term, count]) => [numbers.get(term)!, count] as const);
    entries.sort(([a], [b]) => a - b);
    for (const [i, [term, count]] of entries.entries()) {
      const at = offsets[text]! + i;
      entryTerms[at] = term;
      weights[at] = count * inverseFrequencies[term]!;
    }
  }
  return { vectors: { kind: 'sparse', offsets, terms: entryTerms, weights }, terms };
}

function countTerms(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}
