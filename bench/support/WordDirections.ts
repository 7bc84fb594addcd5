import { sha256 } from '#asof/commitment/sha256.js';
import { type Embedder, newEmbeddings } from '#asof/embedding/Embedder.js';
import { RandomSource } from '#asof/random/RandomSource.js';
import { plain } from '#asof/retrieval/analysis/plain.js';

const dimension = 384;

/** Vectors that are sums of random directions of words: as close as texts share words, and no model's speed in the time. */
export class WordDirections implements Embedder {
  readonly id = 'word directions';
  readonly hash = sha256('word directions').toString('hex');
  readonly verifiable = true;
  readonly dimension = dimension;
  readonly #directions = new Map<string, Float32Array>();

  async embed(texts: readonly string[]) {
    const result = newEmbeddings(texts.length, dimension);
    for (const [row, text] of texts.entries()) {
      const vector = result.vectors.subarray(row * dimension, (row + 1) * dimension);
      for (const word of new Set(plain.tokenize(text))) {
        const direction = this.#directionOf(word);
        for (let i = 0; i < dimension; i++) vector[i]! += direction[i]!;
        result.present[row] = 1;
      }
      const norm = Math.hypot(...vector) || 1;
      for (let i = 0; i < dimension; i++) vector[i]! /= norm;
    }
    return result;
  }

  async close() {}

  #directionOf(word: string): Float32Array {
    let direction = this.#directions.get(word);
    if (direction === undefined) {
      const random = new RandomSource(sha256(word).readUInt32LE(0), 'direction');
      direction = Float32Array.from({ length: dimension }, () => random.unit() - 0.5);
      this.#directions.set(word, direction);
    }
    return direction;
  }
}
