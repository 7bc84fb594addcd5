import { sha256 } from '../../commitment/sha256.js';
import { type Embedder, type Embeddings, type EmbedOptions, newEmbeddings } from '../Embedder.js';
import { EmbeddingCache } from './EmbeddingCache.js';

/** Texts embedded between two writes to the cache: what an interruption can cost. */
const textsPerStep = 1024;

/** An embedder that embeds no text twice, in this run or a later one. Its vectors are the inner embedder's to the bit. */
export class CachedEmbedder implements Embedder {
  readonly id: string;
  readonly hash: string;
  readonly verifiable: boolean;
  readonly dimension: number;
  readonly #inner: Embedder;
  readonly #cache: EmbeddingCache;
  #hits = 0;
  #misses = 0;

  /** @param folder the cache's folder; one folder may serve many embedders and processes */
  constructor(inner: Embedder, folder: string) {
    this.id = inner.id;
    this.hash = inner.hash;
    this.verifiable = inner.verifiable;
    this.dimension = inner.dimension;
    this.#inner = inner;
    this.#cache = EmbeddingCache.open(folder, inner);
  }

  /** Texts answered from the cache, and texts that the inner embedder worked on. */
  get counts(): { hits: number; misses: number } {
    return { hits: this.#hits, misses: this.#misses };
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Embeddings> {
    options.signal?.throwIfAborted();
    const result = newEmbeddings(texts.length, this.dimension);
    const missing = this.#readHits(texts, result);
    const hits = texts.length - missing.reduce((sum, { rows }) => sum + rows.length, 0);
    this.#hits += hits;
    if (hits > 0) options.onProgress?.(hits, texts.length);

    let done = hits;
    for (let start = 0; start < missing.length; start += textsPerStep) {
      const step = missing.slice(start, start + textsPerStep);
      const fresh = await this.#inner.embed(
        step.map(({ rows }) => texts[rows[0]!]!),
        { signal: options.signal },
      );
      this.#cache.put(
        step.map(({ key }) => key),
        fresh.vectors,
        step.map((_, i) => ({ present: fresh.present[i] === 1, truncated: fresh.truncated[i] === 1 })),
      );
      this.#misses += step.length;
      for (const [i, { rows }] of step.entries()) {
        for (const row of rows) copyRow(fresh, i, result, row, this.dimension);
        done += rows.length;
      }
      options.onProgress?.(done, texts.length);
    }
    return result;
  }

  async close(): Promise<void> {
    this.#cache.close();
    await this.#inner.close();
  }

  /** Fills in what the cache has; returns the distinct texts that it lacks, with the rows that hold them. */
  #readHits(texts: readonly string[], result: Embeddings): { key: Buffer; rows: number[] }[] {
    const missing = new Map<string, { key: Buffer; rows: number[] }>();
    for (const [row, text] of texts.entries()) {
      const waiting = missing.get(text);
      if (waiting !== undefined) {
        waiting.rows.push(row);
        continue;
      }
      const key = sha256(text);
      const vector = result.vectors.subarray(row * this.dimension, (row + 1) * this.dimension);
      const cached = this.#cache.get(key, vector);
      if (cached === undefined) missing.set(text, { key, rows: [row] });
      else {
        result.present[row] = cached.present ? 1 : 0;
        result.truncated[row] = cached.truncated ? 1 : 0;
      }
    }
    return [...missing.values()];
  }
}

function copyRow(from: Embeddings, source: number, to: Embeddings, target: number, dimension: number): void {
  to.vectors.set(from.vectors.subarray(source * dimension, (source + 1) * dimension), target * dimension);
  to.present[target] = from.present[source]!;
  to.truncated[target] = from.truncated[source]!;
}
