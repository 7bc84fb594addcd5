/** One vector a text: sparse (lexical) in compressed rows, or dense (embeddings). */
export type TextVectors = SparseVectors | DenseVectors;

export interface SparseVectors {
  readonly kind: 'sparse';
  /** [texts + 1] start of each text's terms. */
  readonly offsets: Uint32Array;
  /** Term numbers, ascending within a text. */
  readonly terms: Uint32Array;
  /** Components, above 0, beside `terms`; not scaled to any length. */
  readonly weights: Float64Array;
}

export interface DenseVectors {
  readonly kind: 'dense';
  readonly dimension: number;
  /** [texts, dimension] row-major; a text without a vector is all zero. */
  readonly values: Float32Array;
}
