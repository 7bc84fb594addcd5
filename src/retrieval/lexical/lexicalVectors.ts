import { inverseDocumentFrequency } from '../bm25/formula.js';
import type { IndexSnapshot } from '../bm25/IndexSnapshot.js';
import type { SparseVectors } from '../vectors.js';

/** TF-IDF vectors with the words behind their term numbers. */
export interface LexicalVectors {
  readonly vectors: SparseVectors;
  /** By term number. Numbers below the index's count are the index's; others are words that no document holds. */
  readonly wordOf: (term: number) => string;
}

/**
 * TF-IDF vectors of texts (Salton and Buckley 1988): tf * idf, scaled to unit length, with BM25's idf,
 * ln(1 + (N - df + 0.5) / (df + 0.5)). N and df are those of a corpus snapshot, never of the texts themselves: frequencies
 * of a stream's own requests would have seen the future. A word that no document of the snapshot holds has df = 0.
 * @param texts for example the requests of a domain
 */
export function lexicalVectors(snapshot: IndexSnapshot, texts: readonly string[]): LexicalVectors {
  const { index, documentCount } = snapshot;
  const known = index.terms.length;
  const unknown = new Map<string, number>();
  const unknownWords: string[] = [];
  const numberOf = (word: string): number => {
    const number = index.termNumber(word) ?? unknown.get(word);
    if (number !== undefined) return number;
    unknown.set(word, known + unknownWords.length);
    return known + unknownWords.push(word) - 1;
  };
  const offsets = new Uint32Array(texts.length + 1);
  const terms: number[] = [];
  const weights: number[] = [];
  for (const [text, content] of texts.entries()) {
    const counts = new Map<number, number>();
    for (const word of index.analyzer.tokenize(content)) {
      const term = numberOf(word);
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    const ascending = [...counts].sort(([a], [b]) => a - b);
    const raw = ascending.map(([term, count]) => {
      const frequency = term < known ? snapshot.documentFrequency(term) : 0;
      return count * inverseDocumentFrequency(documentCount, frequency);
    });
    const norm = Math.sqrt(raw.reduce((sum, weight) => sum + weight * weight, 0));
    for (const [i, [term]] of ascending.entries()) {
      terms.push(term);
      weights.push(raw[i]! / norm);
    }
    offsets[text + 1] = terms.length;
  }
  return {
    vectors: { kind: 'sparse', offsets, terms: Uint32Array.from(terms), weights: Float64Array.from(weights) },
    wordOf: (term) => (term < known ? index.terms[term]! : unknownWords[term - known]!),
  };
}

/**
 * Sparse vectors as dense ones by signed feature hashing (Weinberger et al. 2009), scaled to unit length: what k-means
 * clusters where there are no embeddings. A word's place and sign depend on the word alone.
 * @returns [texts, dimension] row-major; a text without terms is all zero
 */
export function hashedVectors({ vectors, wordOf }: LexicalVectors, dimension: number): Float32Array {
  const { offsets, terms, weights } = vectors;
  const texts = offsets.length - 1;
  const matrix = new Float32Array(texts * dimension);
  const hashes = new Map<number, number>();
  for (let text = 0; text < texts; text++) {
    const row = new Float64Array(dimension);
    for (let at = offsets[text]!; at < offsets[text + 1]!; at++) {
      const term = terms[at]!;
      let hash = hashes.get(term);
      if (hash === undefined) {
        hash = fnv1a(wordOf(term));
        hashes.set(term, hash);
      }
      row[(hash >>> 1) % dimension]! += (hash & 1) === 0 ? weights[at]! : -weights[at]!;
    }
    const norm = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
    if (norm > 0) for (let d = 0; d < dimension; d++) matrix[text * dimension + d] = row[d]! / norm;
  }
  return matrix;
}

/** 32-bit FNV-1a over the UTF-8 bytes of a word, stirred at the end so that the lowest bit depends on all of it. */
function fnv1a(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
