/** What BM25 needs to know of a collection as a whole: of one index, or of several that are searched as one. */
export interface CollectionStatistics {
  /** N: live documents, empty ones included (case 28). */
  readonly documentCount: number;
  /** Average document length in terms; 0 when there is no document. */
  readonly averageLength: number;
  /** Number of live documents that hold a token; 0 for one that the collection does not know. */
  documentFrequencyOf(token: string): number;
}
