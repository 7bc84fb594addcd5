import { compareCodeUnits } from '../corpus/corpus.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { inverseDocumentFrequency } from './bm25/formula.js';
import type { IndexSnapshot } from './bm25/IndexSnapshot.js';
import type { InvertedIndex } from './bm25/InvertedIndex.js';

/**
 * Requests as bags of terms, for query-local TF-IDF similarity (specification, memory views). It holds counts only: idf
 * is taken from a snapshot of the corpus, never from the requests, because the idf of a stream has seen its future.
 */
export interface LexicalVectors {
  readonly index: InvertedIndex;
  /** Number of requests. */
  readonly size: number;
  /** Distinct terms of all requests in code-unit order, so that a term's number does not depend on the requests' order. */
  readonly terms: readonly string[];
  /** [terms] number of each term in the index; -1 where no document holds it. */
  readonly indexTerms: Int32Array;
  /** [size + 1] start of each request's entries in `entryTerms` and `entryCounts`. */
  readonly offsets: Uint32Array;
  /** [entries] term numbers, ascending within a request. */
  readonly entryTerms: Uint32Array;
  /** [entries] how often the request holds the term. */
  readonly entryCounts: Uint32Array;
}

/** Counts the terms of each text with the analyzer of the index. Request i is `texts[i]`. */
export function buildLexicalVectors(texts: readonly string[], index: InvertedIndex): LexicalVectors {
  const counts = texts.map((text) => countTerms(index.analyzer.tokenize(text)));
  const terms = [...new Set(counts.flatMap((ofText) => [...ofText.keys()]))].sort(compareCodeUnits);
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [request, ofText] of counts.entries()) offsets[request + 1] = offsets[request]! + ofText.size;
  const entryTerms = new Uint32Array(offsets[texts.length]!);
  const entryCounts = new Uint32Array(entryTerms.length);
  for (const [request, ofText] of counts.entries()) {
    const entries = [...ofText].map(([term, count]) => [numbers.get(term)!, count] as const);
    entries.sort(([a], [b]) => a - b);
    for (const [at, [term, count]] of entries.entries()) {
      entryTerms[offsets[request]! + at] = term;
      entryCounts[offsets[request]! + at] = count;
    }
  }
  const indexTerms = Int32Array.from(terms, (term) => index.termNumber(term) ?? -1);
  return { index, size: texts.length, terms, indexTerms, offsets, entryTerms, entryCounts };
}

function countTerms(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/**
 * TF-IDF vectors of requests as of one snapshot: component x_t = count(t) * idf(t), with the idf of BM25 (`formula.ts`),
 * positive for every term and largest for a term that no document of the snapshot holds (df = 0). Term weighting and
 * cosine: Salton and Buckley, "Term-weighting approaches in automatic text retrieval" (1988).
 *
 * Making one costs a pass over all entries, so one serves all anchors of a fixed snapshot, and a replay as of each
 * anchor's own instant makes one whenever the snapshot changes.
 */
export class TfIdfVectors {
  readonly vectors: LexicalVectors;
  /** [entries] components x_t of the requests, beside `vectors.entryTerms`. */
  readonly weights: Float64Array;
  /** [size] sum of x_t^2, terms ascending; 0 for a request without terms. */
  readonly #squaredNorms: Float64Array;
  /** The same components by term: [terms + 1] start of each list, [entries] request and component. */
  readonly #listOffsets: Uint32Array;
  readonly #listRequests: Uint32Array;
  readonly #listWeights: Float64Array;

  /** @throws InvalidArgumentError when the snapshot is of another index than the vectors */
  constructor(vectors: LexicalVectors, snapshot: IndexSnapshot) {
    if (snapshot.index !== vectors.index) {
      throw new InvalidArgumentError({
        argument: 'snapshot',
        value: 'a snapshot of another index',
        expected: 'a snapshot of the index that the vectors were built with',
      });
    }
    const { size, offsets, entryTerms, entryCounts, indexTerms } = vectors;
    const inverseFrequencies = Float64Array.from(indexTerms, (term) =>
      inverseDocumentFrequency(snapshot.documentCount, term < 0 ? 0 : snapshot.documentFrequency(term)),
    );
    this.vectors = vectors;
    this.weights = new Float64Array(entryTerms.length);
    this.#squaredNorms = new Float64Array(size);
    this.#listOffsets = new Uint32Array(indexTerms.length + 1);
    this.#listRequests = new Uint32Array(entryTerms.length);
    this.#listWeights = new Float64Array(entryTerms.length);
    for (const term of entryTerms) this.#listOffsets[term + 1]!++;
    for (let term = 0; term < indexTerms.length; term++) this.#listOffsets[term + 1]! += this.#listOffsets[term]!;
    const next = this.#listOffsets.slice();
    for (let request = 0; request < size; request++) {
      let squaredNorm = 0;
      for (let entry = offsets[request]!; entry < offsets[request + 1]!; entry++) {
        const term = entryTerms[entry]!;
        const weight = entryCounts[entry]! * inverseFrequencies[term]!;
        squaredNorm += weight * weight;
        this.weights[entry] = weight;
        this.#listRequests[next[term]!] = request;
        this.#listWeights[next[term]!++] = weight;
      }
      this.#squaredNorms[request] = squaredNorm;
    }
  }

  /**
   * Cosine of one request with every request, in [0, 1]: sum of x_t * y_t over common terms, terms ascending, divided by
   * sqrt(|x|^2 * |y|^2). Costs the length of the lists of the request's terms.
   *
   * Exact where it matters: cos(a, b) and cos(b, a) are the same number, whatever the order of the requests; equal bags
   * of terms give exactly 1, since the sum then equals both squared norms and sqrt(s * s) is s; what rounding lifts
   * above 1 becomes 1. A request without terms has cosine 0 with all, itself included (case 24).
   *
   * @param similarities [size] is overwritten
   * @throws InvalidArgumentError when there is no such request or `similarities` has another length
   */
  similarities(request: number, similarities: Float64Array): void {
    const { size, offsets, entryTerms } = this.vectors;
    if (!Number.isInteger(request) || request < 0 || request >= size) {
      throw new InvalidArgumentError({ argument: 'request', value: request, expected: `an integer below ${size}` });
    }
    if (similarities.length !== size) {
      const value = `${similarities.length} entries`;
      throw new InvalidArgumentError({ argument: 'similarities', value, expected: `${size} entries` });
    }
    similarities.fill(0);
    for (let entry = offsets[request]!; entry < offsets[request + 1]!; entry++) {
      const term = entryTerms[entry]!;
      const weight = this.weights[entry]!;
      for (let at = this.#listOffsets[term]!, end = this.#listOffsets[term + 1]!; at < end; at++) {
        similarities[this.#listRequests[at]!]! += weight * this.#listWeights[at]!;
      }
    }
    const squaredNorm = this.#squaredNorms[request]!;
    for (let other = 0; other < size; other++) {
      const product = similarities[other]!;
      if (product === 0) continue;
      similarities[other] = Math.min(1, product / Math.sqrt(squaredNorm * this.#squaredNorms[other]!));
    }
  }
}
