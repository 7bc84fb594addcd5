/**
 * Relevance labels: for each request (by its index) the corpus rows of its product, ascending.
 *
 * Importing this file is what makes code label-aware. A lint rule keeps it out of streams, retrieval, selection and
 * ranking; only evaluation, the feedback mechanism and the gold-overlap stress stream may read it.
 */
export interface Products {
  /** [requests + 1] start of each request's rows in `rows`. */
  readonly offsets: Uint32Array;
  /** Corpus rows, ascending within a request. */
  readonly rows: Uint32Array;
}

/** Corpus rows of the product of one request, ascending; a view, not a copy. */
export function productOf(products: Products, request: number): Uint32Array {
  return products.rows.subarray(products.offsets[request]!, products.offsets[request + 1]!);
}
