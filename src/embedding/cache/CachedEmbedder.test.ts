import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../commitment/sha256.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { type Embedder, type EmbedOptions, newEmbeddings } from '../Embedder.js';
import { describeEmbedder } from '../testing/embedderContract.js';
import { temporaryFolder } from '../testing/temporaryFolder.js';
import { CachedEmbedder } from './CachedEmbedder.js';
import { EmbeddingCache } from './EmbeddingCache.js';

const root = temporaryFolder();
let folders = 0;
const newFolder = () => join(root, String(folders++));
const dimension = 4;

/** Makes a vector of the text's SHA-256 and remembers what it was asked. */
class RecordingEmbedder implements Embedder {
  readonly id = 'recording';
  readonly hash: string;
  readonly verifiable = true;
  readonly dimension = dimension;
  readonly asked: string[] = [];

  constructor(hash = '01'.repeat(32)) {
    this.hash = hash;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}) {
    options.signal?.throwIfAborted();
    const result = newEmbeddings(texts.length, dimension);
    for (const [row, text] of texts.entries()) {
      this.asked.push(text);
      if (text.trim() === '') continue;
      const values = [...sha256(text).subarray(0, dimension)].map((byte) => byte + 1);
      const norm = Math.hypot(...values);
      result.vectors.set(
        values.map((value) => value / norm),
        row * dimension,
      );
      result.present[row] = 1;
      result.truncated[row] = text.length > 20 ? 1 : 0;
    }
    options.onProgress?.(texts.length, texts.length);
    return result;
  }

  async close() {}
}

const contractFolder = newFolder();
describeEmbedder('CachedEmbedder', async () => new CachedEmbedder(new RecordingEmbedder(), contractFolder));

describe('CachedEmbedder', () => {
  it('answers as the inner embedder does, and asks it for no text twice, in this run or a later one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.string({ maxLength: 25 }), { maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        async (calls) => {
          const folder = newFolder();
          const asked: string[] = [];
          for (const texts of calls) {
            const inner = new RecordingEmbedder();
            const cached = new CachedEmbedder(inner, folder);
            expect(await cached.embed(texts)).toEqual(await new RecordingEmbedder().embed(texts));
            expect(cached.counts.hits + inner.asked.length).toBeLessThanOrEqual(texts.length);
            asked.push(...inner.asked);
            await cached.close();
          }
          expect(asked).toHaveLength(new Set(calls.flat()).size);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('keeps embedders apart by their hash', async () => {
    const folder = newFolder();
    const first = new CachedEmbedder(new RecordingEmbedder(), folder);
    await first.embed(['text']);
    const other = new CachedEmbedder(new RecordingEmbedder('02'.repeat(32)), folder);
    await other.embed(['text']);
    expect([first.counts, other.counts]).toEqual([
      { hits: 0, misses: 1 },
      { hits: 0, misses: 1 },
    ]);
    await first.close();
    await other.close();
  });

  it('keeps what was done before an interruption', async () => {
    const folder = newFolder();
    const texts = Array.from({ length: 3000 }, (_, i) => `text ${i}`);
    const controller = new AbortController();
    const cached = new CachedEmbedder(new RecordingEmbedder(), folder);
    const onProgress = (done: number) => done >= 2048 && controller.abort(new Error('interrupted'));
    await expect(cached.embed(texts, { signal: controller.signal, onProgress })).rejects.toThrow('interrupted');
    await cached.close();
    const again = new CachedEmbedder(new RecordingEmbedder(), folder);
    await again.embed(texts);
    expect(again.counts).toEqual({ hits: 2048, misses: 952 });
    await again.close();
  });

  it('lets two processes fill one cache at once', async () => {
    const folder = newFolder();
    const both = [1, 2].map(() => new CachedEmbedder(new RecordingEmbedder(), folder));
    const texts = Array.from({ length: 200 }, (_, i) => `text ${i}`);
    await Promise.all(both.map((cached, i) => cached.embed(texts.slice(i * 50, i * 50 + 150))));
    await Promise.all(both.map((cached) => cached.close()));
    const later = new CachedEmbedder(new RecordingEmbedder(), folder);
    expect(await later.embed(texts)).toEqual(await new RecordingEmbedder().embed(texts));
    expect(later.counts).toEqual({ hits: 200, misses: 0 });
    await later.close();
  });
});

describe('EmbeddingCache', () => {
  const identity = { hash: '03'.repeat(32), dimension };
  const vector = new Float32Array(dimension);
  const state = { present: true, truncated: false };
  const keyOf = (i: number) => sha256(`key ${i}`);

  function fill(folder: string, keys: readonly number[]): void {
    const cache = EmbeddingCache.open(folder, identity);
    for (const i of keys) cache.put([keyOf(i)], new Float32Array(dimension).fill(i), [state]);
    cache.close();
  }

  function found(folder: string, keys: readonly number[]): number[] {
    const cache = EmbeddingCache.open(folder, identity);
    const hits = keys.filter((i) => cache.get(keyOf(i), vector) !== undefined && vector[0] === i);
    cache.close();
    return hits;
  }

  const logsIn = (folder: string) =>
    readdirSync(join(folder, identity.hash)).map((name) => join(folder, identity.hash, name));

  it('loses only the last record when a write was cut anywhere', () => {
    const folder = newFolder();
    fill(folder, [1, 2, 3]);
    const [log] = logsIn(folder) as [string];
    const whole = readFileSync(log);
    const recordLength = (whole.length - 64) / 3;
    for (let cut = 1; cut < recordLength; cut++) {
      writeFileSync(log, whole);
      truncateSync(log, whole.length - cut);
      expect(found(folder, [1, 2, 3])).toEqual([1, 2]);
    }
    fill(folder, [3]);
    expect(found(folder, [1, 2, 3])).toEqual([1, 2, 3]);
  });

  it('does not give back a damaged vector', () => {
    const folder = newFolder();
    fill(folder, [1, 2]);
    const [log] = logsIn(folder) as [string];
    const bytes = readFileSync(log);
    bytes[64 + 40]! ^= 1;
    writeFileSync(log, bytes);
    expect(found(folder, [1, 2])).toEqual([2]);
  });

  it('does not mistake a record that vanished for the one read before it', () => {
    const folder = newFolder();
    fill(folder, [1, 2]);
    const [log] = logsIn(folder) as [string];
    const cache = EmbeddingCache.open(folder, identity);
    expect(cache.get(keyOf(1), vector)).toEqual(state);
    truncateSync(log, 64 + (readFileSync(log).length - 64) / 2);
    expect(cache.get(keyOf(2), vector)).toBeUndefined();
    cache.close();
  });

  it('merges the logs of many short runs', () => {
    const folder = newFolder();
    const keys = Array.from({ length: 20 }, (_, i) => i);
    for (const key of keys) fill(folder, [key]);
    expect(found(folder, keys)).toEqual(keys);
    expect(logsIn(folder).length).toBeLessThan(17);
    expect(found(folder, keys)).toEqual(keys);
  });

  it('refuses a file that is not a log of this embedder', () => {
    const folder = newFolder();
    fill(folder, [1]);
    appendFileSync(join(folder, identity.hash, 'other.log'), 'something else');
    expect(() => EmbeddingCache.open(folder, identity)).toThrow(ForeignFileError);
    expect(() => EmbeddingCache.open(folder, identity)).toThrow(/other\.log: not an embedding log of embedder 0303/);
  });
});
