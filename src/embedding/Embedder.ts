/** Turns texts into vectors. Every implementation passes `testing/embedderContract.ts`. */
export interface Embedder {
  /** Name for people, for example `all-MiniLM-L6-v2 (float32)`. */
  readonly id: string;
  /** Hexadecimal SHA-256 of what the vectors depend on: weights, tokenizer and settings. */
  readonly hash: string;
  /** Whether `hash` covers the weights. An endpoint's does not: its owner may change the model behind the name. */
  readonly verifiable: boolean;
  readonly dimension: number;
  /**
   * Embeds texts, in any number. A text's vector depends on the text alone: not on its neighbours, their order, the
   * batches or the number of threads.
   * @throws the signal's reason when it is aborted; nothing is returned then
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embeddings>;
  /** Frees the model. */
  close(): Promise<void>;
}

/** How far a call of `embed` has come, and how to stop it. */
export interface EmbedOptions {
  /** Checked between batches. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every batch with the number of texts done so far. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Vectors of a list of texts, row for row. */
export interface Embeddings {
  /** [texts, dimension] row-major; a row without a vector is zeros. */
  readonly vectors: Float32Array;
  /** [texts] 1 where the row has a vector, 0 where the text was empty: such a text is in no semantic ranking. */
  readonly present: Uint8Array;
  /** [texts] 1 where only the beginning of the text fitted the model's input (endpoints do not tell). */
  readonly truncated: Uint8Array;
}

/** Embeddings of which no row has a vector yet. */
export function newEmbeddings(texts: number, dimension: number): Embeddings {
  return {
    vectors: new Float32Array(texts * dimension),
    present: new Uint8Array(texts),
    truncated: new Uint8Array(texts),
  };
}

/** How many texts had no content and so have no vector, and of how many only the beginning was read. */
export function countEmbeddings(embeddings: Embeddings): { texts: number; empty: number; truncated: number } {
  const { present, truncated } = embeddings;
  const sum = (flags: Uint8Array) => flags.reduce((total, flag) => total + flag, 0);
  return { texts: present.length, empty: present.length - sum(present), truncated: sum(truncated) };
}
