/**
 * Similarity between requests, by which memory entries are selected. It sees texts only, never labels.
 *
 * Implementations state how they are bound to the run (`hash`) and are exact: the similarity of a pair does not depend
 * on which other requests are asked about, on block sizes or on threads.
 */
export interface QuerySimilarity {
  /** For example `tfidf-cosine`, or the embedder's id. */
  readonly id: string;
  /** Content hash of everything that determines the similarities. */
  readonly hash: string;
  /** Number of requests. */
  readonly size: number;
  /** Writes the similarity of `request` to every request r into `out[r]`; [size], finite, at most 1. */
  fill(request: number, out: Float64Array): void;
  /** SHA-256 (hexadecimal) of the vector of each request: what an event's commitment binds. */
  vectorHashes(): readonly string[];
}
