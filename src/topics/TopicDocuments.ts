/** What topics are tracked in: documents with their clocks, of which the rest is loaded slice by slice. */
export interface TopicDocuments {
  readonly size: number;
  /** [size] distinct ids; a later version of a document may repeat one, but two of them are never current at once. */
  readonly ids: readonly string[];
  /** [size] event time in epoch milliseconds, which decides the slice; NaN where unknown. */
  readonly eventAt: Float64Array;
  /** [size] c(a) in epoch milliseconds; -Infinity where the document was always available. */
  readonly availableAt: Float64Array;
  /** [size] when the document was superseded or withdrawn; absent: never. */
  readonly endsAt?: Float64Array | undefined;
  /** Numbers in a vector. */
  readonly dimension: number;
  /** Loads some documents, in the order of `rows`. */
  load(rows: Uint32Array): Promise<LoadedDocuments>;
}

/** Documents at hand, row for row. */
export interface LoadedDocuments {
  /** [rows, dimension] row-major, each of length 1; a row without a vector is zeros. */
  readonly vectors: Float32Array;
  /** [rows] 1 where the document has a vector. */
  readonly present: Uint8Array;
  readonly texts: readonly string[];
  /** Names that each document is about; repeated names count once. */
  readonly entities: readonly (readonly string[])[];
  /** [rows] identity of each document's text and entities, and so of its vector: a SHA-256, hexadecimal. */
  readonly contentHashes: readonly string[];
}

/** Documents of one slice that have vectors, in event order, then id order. */
export interface SliceBatch {
  readonly count: number;
  readonly dimension: number;
  /** [count, dimension] row-major, of length 1. */
  readonly vectors: Float32Array;
  readonly texts: readonly string[];
  readonly entities: readonly (readonly string[])[];
}
