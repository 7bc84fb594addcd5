import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256Hex } from '../src/commitment/sha256.js';
import { MatrixProduct } from '../src/inference/MatrixProduct.js';
import { english } from '../src/retrieval/analysis/english.js';
import { IndexSnapshot } from '../src/retrieval/bm25/IndexSnapshot.js';
import { buildInvertedIndex } from '../src/retrieval/bm25/InvertedIndexBuilder.js';
import { hashedDense } from '../src/retrieval/lexical/hashedDense.js';
import { tfIdfVectors } from '../src/retrieval/lexical/tfIdfVectors.js';
import { millisecondsPerDay } from '../src/time/instant.js';
import { parseInstant } from '../src/time/parseInstant.js';
import type { TopicDocuments } from '../src/topics/TopicDocuments.js';
import { type TrackTopicsOptions, trackTopics } from '../src/topics/trackTopics.js';

vi.setConfig({ testTimeout: 300_000 });

const file = new URL('../../shared/data/nvd/nvd-2018.jsonl.gz', import.meta.url);
if (!existsSync(file)) console.log('note: ../shared/data/nvd is absent; tests on real data are skipped');

const dimension = 128;
const weeks = 10;

interface Cve {
  readonly id: string;
  readonly published: string;
  readonly description: string;
  readonly products: readonly string[];
}

/** CVEs of the first weeks of 2018, thinned; each became available some days after it was published. */
function readCves(): Cve[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
  const end = parseInstant('2018-01-01') + weeks * 7 * millisecondsPerDay;
  return lines
    .map((line) => JSON.parse(line) as Cve)
    .filter(({ published }, index) => index % 2 === 0 && parseInstant(published) < end);
}

/** A text's vector depends on the text alone: signed hashing of its terms, without document frequencies. */
function vectorsOf(texts: readonly string[]): Float32Array {
  const nothing = new IndexSnapshot(buildInvertedIndex([], english));
  return hashedDense(tfIdfVectors(nothing, texts), { dimension, seed: 1 });
}

function documentsOf(cves: readonly Cve[]): TopicDocuments {
  const vectors = vectorsOf(cves.map(({ description }) => description));
  const eventAt = Float64Array.from(cves, ({ published }) => parseInstant(published));
  const delayOf = ({ id }: Cve) => (Number.parseInt(sha256Hex(id).slice(0, 4), 16) % 9) * millisecondsPerDay;
  return {
    size: cves.length,
    ids: cves.map(({ id }) => id),
    eventAt,
    availableAt: eventAt.map((instant, row) => instant + delayOf(cves[row]!)),
    dimension,
    load(rows) {
      const loaded = Array.from(rows);
      const matrix = new Float32Array(loaded.length * dimension);
      for (const [i, row] of loaded.entries()) {
        matrix.set(vectors.subarray(row * dimension, (row + 1) * dimension), i * dimension);
      }
      return Promise.resolve({
        vectors: matrix,
        present: new Uint8Array(loaded.length).fill(1),
        texts: loaded.map((row) => cves[row]!.description),
        entities: loaded.map((row) => cves[row]!.products),
        contentHashes: loaded.map((row) => sha256Hex(cves[row]!.description)),
      });
    },
  };
}

/** The documents of the same stream that were available by t, as if there had never been others. */
function withoutLater(cves: readonly Cve[], all: TopicDocuments, t: number): TopicDocuments {
  return documentsOf(cves.filter((_, row) => all.availableAt[row]! <= t));
}

describe.skipIf(!existsSync(file))('topics in CVEs of 2018', () => {
  const cves = existsSync(file) ? readCves() : [];
  const documents = documentsOf(cves);
  let product: MatrixProduct;
  beforeAll(async () => {
    product = await MatrixProduct.open();
  });
  afterAll(() => product.close());

  const settings: readonly (readonly [string, Partial<TrackTopicsOptions>])[] = [
    ['the defaults', { tracker: { kind: 'carried', similarity: 0.4 } }],
    ['matched clusters, rule delta', { tracker: { kind: 'matched' }, rule: { kind: 'delta' } }],
    [
      'adaptive slices as published',
      {
        slices: { kind: 'equal-count', documents: 150 },
        vintage: { kind: 'published', lateness: 2 * millisecondsPerDay },
        tracker: { kind: 'carried', similarity: 0.4 },
      },
    ],
  ];

  it.each(settings)(
    'are the same as of t when all later documents are deleted: topics, labels, terms, model; %s',
    async (_, options) => {
      const days = fc.integer({ min: 1, max: weeks * 7 + 10 });
      await fc.assert(
        fc.asyncProperty(days, async (day) => {
          const asOf = parseInstant('2018-01-01') + day * millisecondsPerDay;
          const whole = await trackTopics(documents, { asOf, product, ...options });
          const past = await trackTopics(withoutLater(cves, documents, asOf), { asOf, product, ...options });
          expect(past).toEqual(whole);
        }),
        { numRuns: 4 },
      );
    },
  );

  it('are published once: a later as-of repeats every slice to the byte, labels and terms', async () => {
    const vintage = { kind: 'published', lateness: 0 } as const;
    const tracker = { kind: 'carried', similarity: 0.4 } as const;
    const at = (day: number) => parseInstant('2018-01-01') + day * millisecondsPerDay;
    const early = await trackTopics(documents, { asOf: at(40), vintage, tracker, product });
    const late = await trackTopics(documents, { asOf: at(80), vintage, tracker, product });
    const published = early.slices.filter(({ provisional }) => !provisional);
    expect(published.length).toBe(5);
    expect(late.slices.slice(0, published.length)).toEqual(published);
    expect(late.counts.late).toBeGreaterThan(0);
    expect(late.slices.some(({ points }) => points.length > 3)).toBe(true);
  });
});
