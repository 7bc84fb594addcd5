import type { QuerySimilarity } from './querySimilarity.js';

/** Vectors of requests as artefacts keep them: sparse (lexical) in compressed rows, or dense (embeddings). */
export type RequestVectors =
  | {
      readonly kind: 'sparse';
      /** [requests + 1] start of each request's terms. */
      readonly offsets: Uint32Array;
      /** Term numbers, ascending within a request. */
      readonly terms: Uint32Array;
      /** Weights of unit length within a request. */
      readonly weights: Float64Array;
    }
  | {
      readonly kind: 'dense';
      readonly dimension: number;
      /** [requests, dimension] row-major, unit length; a request without a vector is all zero. */
      readonly values: Float32Array;
    };

/** A similarity that is a function of one vector a request. */
export interface VectorSimilarity extends QuerySimilarity {
  readonly vectors: RequestVectors;
}
