import { newSha256 } from '../commitment/sha256.js';
import { littleEndianBytes } from '../commitment/typedArrayBytes.js';
import { rowNorm } from '../embedding/unitRows.js';
import { cosineOf, innerProduct, innerProducts } from '../retrieval/dense/cosine.js';
import type { QuerySimilarity } from './querySimilarity.js';

/** Vectors of requests as artefacts keep them: sparse (lexical) in compressed rows, or dense (embeddings). */
export type RequestVectors = SparseVectors | DenseVectors;

export interface SparseVectors {
  readonly kind: 'sparse';
  /** [requests + 1] start of each request's terms. */
  readonly offsets: Uint32Array;
  /** Term numbers, ascending within a request. */
  readonly terms: Uint32Array;
  /** Weights, of unit length within a request; a request without terms has none. */
  readonly weights: Float64Array;
}

export interface DenseVectors {
  readonly kind: 'dense';
  readonly dimension: number;
  /** [requests, dimension] row-major, of unit length; a request without a vector is all zero. */
  readonly values: Float32Array;
}

/** A similarity that is a function of one vector a request. */
export interface VectorSimilarity extends QuerySimilarity {
  readonly vectors: RequestVectors;
}

/**
 * Cosine of two requests' vectors, from the definition: products of what both have, added in ascending order of terms or
 * dimensions, in double precision, at most 1. The fast similarities agree with it to the last bit.
 */
export function pairwiseSimilarity(vectors: RequestVectors): (a: number, b: number) => number {
  return vectors.kind === 'sparse' ? sparseCosine(vectors) : denseCosine(vectors);
}

function sparseCosine({ offsets, terms, weights }: SparseVectors): (a: number, b: number) => number {
  return (a, b) => {
    let i = offsets[a]!;
    let j = offsets[b]!;
    const [endA, endB] = [offsets[a + 1]!, offsets[b + 1]!];
    let sum = 0;
    while (i < endA && j < endB) {
      if (terms[i]! < terms[j]!) i++;
      else if (terms[i]! > terms[j]!) j++;
      else sum += weights[i++]! * weights[j++]!;
    }
    return Math.min(1, sum);
  };
}

function denseCosine({ dimension, values }: DenseVectors): (a: number, b: number) => number {
  const norms = normsOf(values, dimension);
  return (a, b) => {
    if (norms[a] === 0 || norms[b] === 0) return 0;
    const product = innerProduct(values, a * dimension, values, b * dimension, dimension);
    return cosineOf(product, norms[a]!, norms[b]!);
  };
}

function normsOf(values: Float32Array, dimension: number): Float64Array {
  const rows = dimension === 0 ? 0 : values.length / dimension;
  return Float64Array.from({ length: rows }, (_, row) => rowNorm(values, row * dimension, dimension));
}

/** SHA-256 (hexadecimal) of each request's vector: terms then weights, or values; little-endian. */
export function vectorHashes(vectors: RequestVectors): string[] {
  if (vectors.kind === 'dense') {
    const { dimension, values } = vectors;
    const requests = dimension === 0 ? 0 : values.length / dimension;
    return Array.from({ length: requests }, (_, request) =>
      newSha256()
        .update(littleEndianBytes(values.subarray(request * dimension, (request + 1) * dimension)))
        .digest('hex'),
    );
  }
  const { offsets, terms, weights } = vectors;
  return Array.from({ length: offsets.length - 1 }, (_, request) =>
    newSha256()
      .update(littleEndianBytes(terms.subarray(offsets[request]!, offsets[request + 1]!)))
      .update(littleEndianBytes(weights.subarray(offsets[request]!, offsets[request + 1]!)))
      .digest('hex'),
  );
}

/** Similarity of sparse vectors through inverted lists: the cost is that of the postings of the request's terms. */
export class SparseSimilarity implements VectorSimilarity {
  readonly id: string;
  readonly hash: string;
  readonly size: number;
  readonly vectors: SparseVectors;
  /** [terms + 1] start of each term's postings. */
  readonly #offsets: Uint32Array;
  /** Requests with the term, ascending. */
  readonly #requests: Uint32Array;
  readonly #weights: Float64Array;

  constructor(options: { id: string; hash: string; vectors: SparseVectors }) {
    const { offsets, terms, weights } = options.vectors;
    this.id = options.id;
    this.hash = options.hash;
    this.vectors = options.vectors;
    this.size = offsets.length - 1;
    const termCount = terms.reduce((largest, term) => Math.max(largest, term + 1), 0);
    this.#offsets = new Uint32Array(termCount + 1);
    this.#requests = new Uint32Array(terms.length);
    this.#weights = new Float64Array(terms.length);
    for (const term of terms) this.#offsets[term + 1]!++;
    for (let term = 0; term < termCount; term++) this.#offsets[term + 1]! += this.#offsets[term]!;
    const next = this.#offsets.slice();
    for (let request = 0; request < this.size; request++) {
      for (let at = offsets[request]!; at < offsets[request + 1]!; at++) {
        const place = next[terms[at]!]!++;
        this.#requests[place] = request;
        this.#weights[place] = weights[at]!;
      }
    }
  }

  fill(request: number, out: Float64Array): void {
    const { offsets, terms, weights } = this.vectors;
    out.fill(0);
    for (let at = offsets[request]!; at < offsets[request + 1]!; at++) {
      const term = terms[at]!;
      const weight = weights[at]!;
      const end = this.#offsets[term + 1]!;
      for (let p = this.#offsets[term]!; p < end; p++) out[this.#requests[p]!]! += weight * this.#weights[p]!;
    }
    for (let other = 0; other < out.length; other++) if (out[other]! > 1) out[other] = 1;
  }

  vectorHashes(): readonly string[] {
    return vectorHashes(this.vectors);
  }
}

/** Similarity of dense vectors: every inner product in double precision, in the order of dimensions. */
export class DenseSimilarity implements VectorSimilarity {
  readonly id: string;
  readonly hash: string;
  readonly size: number;
  readonly vectors: DenseVectors;
  readonly #norms: Float64Array;
  readonly #everyRow: Uint32Array;

  constructor(options: { id: string; hash: string; vectors: DenseVectors }) {
    this.id = options.id;
    this.hash = options.hash;
    this.vectors = options.vectors;
    this.#norms = normsOf(options.vectors.values, options.vectors.dimension);
    this.size = this.#norms.length;
    this.#everyRow = Uint32Array.from({ length: this.size }, (_, row) => row);
  }

  fill(request: number, out: Float64Array): void {
    const { dimension, values } = this.vectors;
    const norms = this.#norms;
    const norm = norms[request]!;
    if (norm === 0) {
      out.fill(0);
      return;
    }
    const vector = Float64Array.from(values.subarray(request * dimension, (request + 1) * dimension));
    innerProducts(vector, values, this.#everyRow, dimension, out);
    for (let other = 0; other < this.size; other++) {
      out[other] = norms[other] === 0 ? 0 : cosineOf(out[other]!, norm, norms[other]!);
    }
  }

  vectorHashes(): readonly string[] {
    return vectorHashes(this.vectors);
  }
}

/** The similarity of vectors of either kind. */
export function similarityOf(options: { id: string; hash: string; vectors: RequestVectors }): VectorSimilarity {
  const { id, hash, vectors } = options;
  return vectors.kind === 'sparse'
    ? new SparseSimilarity({ id, hash, vectors })
    : new DenseSimilarity({ id, hash, vectors });
}
