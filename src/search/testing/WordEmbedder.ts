import { sha256, sha256Hex } from '../../commitment/sha256.js';
import { type Embedder, type Embeddings, newEmbeddings } from '../../embedding/Embedder.js';
import { plain } from '../../retrieval/analysis/plain.js';

/** An embedder for tests that needs no model: each word has a direction of its own, made from its hash. */
export class WordEmbedder implements Embedder {
  readonly id = 'words';
  readonly hash: string;
  readonly verifiable = true;
  readonly dimension: number;
  /** Texts embedded so far. */
  embedded = 0;

  constructor(dimension = 16) {
    this.dimension = dimension;
    this.hash = sha256Hex(`words/${dimension}`);
  }

  async embed(texts: readonly string[]): Promise<Embeddings> {
    const result = newEmbeddings(texts.length, this.dimension);
    for (const [row, text] of texts.entries()) {
      const vector = result.vectors.subarray(row * this.dimension, (row + 1) * this.dimension);
      for (const word of plain.tokenize(text)) {
        const hash = sha256(word);
        for (let i = 0; i < this.dimension; i++) vector[i]! += hash[i % 32]! - 127.5;
        result.present[row] = 1;
      }
      const norm = Math.hypot(...vector);
      if (norm > 0) for (let i = 0; i < this.dimension; i++) vector[i]! /= norm;
      this.embedded++;
    }
    return result;
  }

  async close(): Promise<void> {}
}
