import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Embedder, type Embeddings, newEmbeddings } from '../Embedder.js';

const texts = [
  'That is a happy person',
  'Revenue rose 12% in 2019, to $4.1 million.',
  '',
  'Heap buffer overflow in the parser of the image library allows remote attackers to execute code.',
  ' \t\n ',
  'a',
  'That is a happy person',
  '日本語のテキスト – naïve café 😀',
];
const empty = [2, 4];
/** Greatest difference between a vector made alone and one made in a batch. */
const agreement = 1e-5;

/** What every `Embedder` does; run it for each implementation. */
export function describeEmbedder(name: string, open: () => Promise<Embedder>): void {
  describe(`${name} keeps the embedder contract`, () => {
    let embedder: Embedder;
    let all: Embeddings;
    const row = (embeddings: Embeddings, index: number) =>
      embeddings.vectors.subarray(index * embedder.dimension, (index + 1) * embedder.dimension);

    beforeAll(async () => {
      embedder = await open();
      all = await embedder.embed(texts);
    }, 60_000);
    afterAll(() => embedder.close());

    it('has a name, a SHA-256 and a dimension', () => {
      expect(embedder.id).not.toBe('');
      expect(embedder.hash).toMatch(/^[0-9a-f]{64}$/);
      expect(embedder.dimension).toBeGreaterThan(0);
    });

    it('gives each text with content a vector of length 1', () => {
      expect(all.vectors).toHaveLength(texts.length * embedder.dimension);
      for (const index of texts.keys()) {
        const norm = Math.hypot(...row(all, index));
        if (empty.includes(index)) expect(norm).toBe(0);
        else expect(norm).toBeCloseTo(1, 5);
      }
    });

    it('gives empty text no vector and says so (case 28)', () => {
      expect([...all.present]).toEqual(texts.map((_, index) => (empty.includes(index) ? 0 : 1)));
    });

    it('gives a text the same vector alone, in a batch, and in any order', async () => {
      const reversed = await embedder.embed([...texts].reverse());
      for (const [index, text] of texts.entries()) {
        const alone = await embedder.embed([text]);
        for (const other of [row(alone, 0), row(reversed, texts.length - 1 - index)]) {
          const difference = Math.max(...row(all, index).map((value, column) => Math.abs(value - other[column]!)));
          expect(difference).toBeLessThan(agreement);
        }
      }
      expect(row(all, 6)).toEqual(row(all, 0));
    });

    it('embeds no texts into no rows', async () => {
      expect(await embedder.embed([])).toEqual(newEmbeddings(0, embedder.dimension));
    });

    it('reports progress up to the number of texts', async () => {
      const steps: [number, number][] = [];
      await embedder.embed(texts, { onProgress: (done, total) => steps.push([done, total]) });
      expect(steps.at(-1)).toEqual([texts.length, texts.length]);
      expect(steps.map(([done]) => done)).toEqual(steps.map(([done]) => done).sort((a, b) => a - b));
      expect(new Set(steps.map(([, total]) => total))).toEqual(new Set([texts.length]));
    });

    it('stops with the reason of an aborted signal', async () => {
      const reason = new Error('stopped by the user');
      await expect(embedder.embed(texts, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    it('has the same hash when opened again', async () => {
      const again = await open();
      expect(again.hash).toBe(embedder.hash);
      await again.close();
    });
  });
}
