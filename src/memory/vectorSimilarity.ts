import { newSha256 } from '../commitment/sha256.js';
import { littleEndianBytes } from '../commitment/typedArrayBytes.js';
import { rowNorm } from '../embedding/unitRows.js';
import { cosineOf, innerProduct, innerProducts } from '../retrieval/dense/cosine.js';
import { ProductMatrix } from '../retrieval/dense/ProductMatrix.js';
import { pairwiseSparseCosine, SparseCosine } from '../retrieval/lexical/SparseCosine.js';
import type { DenseVectors, SparseVectors, TextVectors } from '../retrieval/vectors.js';
import type { QuerySimilarity } from './querySimilarity.js';

/** A similarity that is a function of one vector a request. */
export interface VectorSimilarity extends QuerySimilarity {
  readonly vectors: TextVectors;
}

/**
 * Cosine of two requests' vectors, pair by pair: the slow twin of the similarities below, which agree with it to the last
 * bit.
 */
export function pairwiseSimilarity(vectors: TextVectors): (a: number, b: number) => number {
  return vectors.kind === 'sparse' ? pairwiseSparseCosine(vectors) : denseCosine(vectors);
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
export function vectorHashes(vectors: TextVectors): string[] {
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

/** Similarity of sparse vectors, through inverted lists. */
export class SparseSimilarity implements VectorSimilarity {
  readonly id: string;
  readonly hash: string;
  readonly size: number;
  readonly vectors: SparseVectors;
  readonly #cosine: SparseCosine;

  constructor(options: { id: string; hash: string; vectors: SparseVectors }) {
    this.id = options.id;
    this.hash = options.hash;
    this.vectors = options.vectors;
    this.#cosine = new SparseCosine(options.vectors);
    this.size = this.#cosine.size;
  }

  fill(request: number, out: Float64Array): void {
    this.#cosine.fill(request, out);
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
  #matrix: ProductMatrix | undefined;

  constructor(options: { id: string; hash: string; vectors: DenseVectors }) {
    this.id = options.id;
    this.hash = options.hash;
    this.vectors = options.vectors;
    this.#norms = normsOf(options.vectors.values, options.vectors.dimension);
    this.size = this.#norms.length;
  }

  fill(request: number, out: Float64Array): void {
    const { dimension, values } = this.vectors;
    const norms = this.#norms;
    const norm = norms[request]!;
    if (norm === 0) {
      out.fill(0);
      return;
    }
    const vector = values.subarray(request * dimension, (request + 1) * dimension);
    if (ProductMatrix.fits(this.size, dimension)) {
      this.#matrix ??= new ProductMatrix(values, dimension);
      this.#matrix.fill(vector, out);
    } else {
      const everyRow = Uint32Array.from({ length: this.size }, (_, row) => row);
      innerProducts(Float64Array.from(vector), values, everyRow, dimension, out);
    }
    for (let other = 0; other < this.size; other++) {
      out[other] = norms[other] === 0 ? 0 : cosineOf(out[other]!, norm, norms[other]!);
    }
  }

  vectorHashes(): readonly string[] {
    return vectorHashes(this.vectors);
  }
}

/** The similarity of vectors of either kind. */
export function similarityOf(options: { id: string; hash: string; vectors: TextVectors }): VectorSimilarity {
  const { id, hash, vectors } = options;
  return vectors.kind === 'sparse'
    ? new SparseSimilarity({ id, hash, vectors })
    : new DenseSimilarity({ id, hash, vectors });
}
