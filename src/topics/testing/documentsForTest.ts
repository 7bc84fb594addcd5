import { sha256Hex } from '../../commitment/sha256.js';
import { RandomSource } from '../../random/RandomSource.js';
import type { Instant } from '../../time/instant.js';
import type { SliceBatch, TopicDocuments } from '../TopicDocuments.js';

/** A document of a test's stream. */
export interface TestDocument {
  readonly id: string;
  readonly eventAt: Instant;
  /** The event time by default. */
  readonly availableAt?: Instant;
  readonly endsAt?: Instant;
  /** Any length; scaled to 1. None: no vector. */
  readonly vector?: readonly number[];
  readonly text?: string;
  readonly entities?: readonly string[];
}

export const testDimension = 12;

/** Documents in memory, for tests. */
export function documentsForTest(stream: readonly TestDocument[], dimension = testDimension): TopicDocuments {
  return {
    size: stream.length,
    ids: stream.map(({ id }) => id),
    eventAt: Float64Array.from(stream, ({ eventAt }) => eventAt),
    availableAt: Float64Array.from(stream, ({ eventAt, availableAt = eventAt }) => availableAt),
    endsAt: Float64Array.from(stream, ({ endsAt = Number.POSITIVE_INFINITY }) => endsAt),
    dimension,
    load(rows) {
      const loaded = Array.from(rows, (row) => stream[row]!);
      return Promise.resolve({
        vectors: Float32Array.from(loaded.flatMap(({ vector }) => unit(vector ?? new Array(dimension).fill(0)))),
        present: Uint8Array.from(loaded, ({ vector }) => (vector === undefined ? 0 : 1)),
        texts: loaded.map(({ text = '' }) => text),
        entities: loaded.map(({ entities = [] }) => entities),
        contentHashes: loaded.map(({ text = '', vector = [] }) => sha256Hex(JSON.stringify([text, vector]))),
      });
    },
  };
}

/** A source of vectors that point near one of `testDimension` axes each; cosines within an axis are about 0.95. */
export function vectorSource(seed: number): (axis: number) => number[] {
  const random = new RandomSource(seed, 'test');
  return (axis) => Array.from({ length: testDimension }, (_, i) => (i === axis ? 1 : 0) + (random.unit() - 0.5) * 0.2);
}

/** A slice of documents: so many near each axis. */
export function batchForTest(counts: Readonly<Record<number, number>>, vectorNear = vectorSource(1)): SliceBatch {
  const axes = Object.entries(counts).flatMap(([axis, count]) => new Array<number>(count).fill(Number(axis)));
  return {
    count: axes.length,
    dimension: testDimension,
    vectors: Float32Array.from(axes.flatMap((axis) => unit(vectorNear(axis)))),
    texts: axes.map((axis) => `axis${axis}`),
    entities: axes.map((axis) => [`entity ${axis}`]),
  };
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
