import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { MatrixProduct } from '../../inference/MatrixProduct.js';
import { packState } from '../state/packState.js';
import type { SliceBatch } from '../TopicDocuments.js';
import { batchForTest, testDimension, vectorSource } from '../testing/documentsForTest.js';
import { carriedTracker } from './carried/carriedTracker.js';
import { type MatchedTrackerOptions, matchedTracker } from './matchedTracker.js';
import type { SliceAssignment, TopicTracker, TrackerContext } from './TopicTracker.js';

// Each tracker clusters slice after slice.
vi.setConfig({ testTimeout: 60_000 });

let context: TrackerContext;
beforeAll(async () => {
  context = { dimension: testDimension, product: await MatrixProduct.open(), seed: 1 };
});
afterAll(() => context.product.close());

const matched = (options: MatchedTrackerOptions) => () => matchedTracker(context, options);
const trackers: readonly (readonly [string, () => TopicTracker])[] = [
  ['carried', () => carriedTracker(context)],
  ['matched, k-means by elbow', matched({})],
  ['matched, k-means by silhouette', matched({ clusterer: { kind: 'k-means', k: 'silhouette' }, matching: 'optimal' })],
  ['matched, k-means of a fixed k', matched({ clusterer: { kind: 'k-means', k: 3 } })],
  ['matched, HDBSCAN', matched({ clusterer: { kind: 'hdbscan' } })],
];

/** How many documents of each axis are in each topic, for example `1:20 2:15`. */
function sharesOf(batch: SliceBatch, { topics }: SliceAssignment): string {
  const counts = new Map<string, number>();
  for (const [document, topic] of topics.entries()) {
    const key = `${batch.texts[document]!.slice(4)}>${topic}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return Array.from(counts, ([key, count]) => `${key}:${count}`)
    .sort()
    .join(' ');
}

async function run(tracker: TopicTracker, slices: readonly Readonly<Record<number, number>>[]) {
  const vectorNear = vectorSource(3);
  const results: { shares: string; events: string[]; assignment: SliceAssignment }[] = [];
  for (const counts of slices) {
    const batch = batchForTest(counts, vectorNear);
    const assignment = await tracker.advance(batch);
    const events = assignment.events.map(
      ({ kind, topic, other }) => `${kind} ${topic}${other === null ? '' : ` ${other}`}`,
    );
    results.push({ shares: sharesOf(batch, assignment), events, assignment });
  }
  return results;
}

describe.each(trackers)('tracker %s', (name, open) => {
  it('gives topics their numbers once, and keeps them from slice to slice', async () => {
    const results = await run(open(), Array(4).fill({ 0: 20, 4: 15, 8: 25 }));
    expect(results[0]!.events.toSorted()).toEqual(['emergence 1', 'emergence 2', 'emergence 3']);
    for (const { events, shares, assignment } of results.slice(1)) {
      expect(events).toEqual([]);
      expect(shares).toBe(results[0]!.shares);
      expect(assignment.alive).toEqual([1, 2, 3]);
    }
    expect(results[0]!.shares).toMatch(/^0>\d:20 4>\d:15 8>\d:25$/);
  });

  it('takes empty slices, slices of one document, and such before all others', async () => {
    const tracker = open();
    const results = await run(tracker, [
      {},
      { 0: 1 },
      {},
      { 0: 20, 4: 15, 8: 25 },
      { 4: 1 },
      {},
      { 0: 20, 4: 15, 8: 25 },
    ]);
    expect(results.slice(0, 3).map(({ assignment }) => assignment.alive)).toEqual([[], [], []]);
    expect(new Set(results[3]!.assignment.topics).size).toBe(3);
    expect(results[6]!.assignment.alive).toHaveLength(3);
    // Too few documents to cluster are passed over, or join what is there: they end nothing.
    expect(results.flatMap(({ events }) => events).filter((event) => event.startsWith('end'))).toEqual([]);
  });

  it('makes no more topics than there are distinct vectors, however many documents (case 30)', async () => {
    const one = vectorSource(1)(0);
    const two = vectorSource(1)(6);
    const batch = batchForTest({ 0: 30, 6: 30 });
    const [first, second] = [batchForTest({ 0: 1 }, () => one), batchForTest({ 6: 1 }, () => two)];
    for (let document = 0; document < 60; document++) {
      batch.vectors.set(document < 30 ? first.vectors : second.vectors, document * testDimension);
    }
    const { alive, topics } = await open().advance(batch);
    expect(alive.length).toBeLessThanOrEqual(2);
    expect(new Set(topics.subarray(0, 30)).size).toBe(1);
    expect(new Set(topics.subarray(30)).size).toBe(1);
  });

  it('goes on from a saved state to the same bytes, and is not moved by what happens after the save', async () => {
    const slices = [{ 0: 20, 4: 15 }, { 0: 20, 4: 15, 8: 9 }, { 4: 30 }, { 8: 12 }];
    const vectorNear = vectorSource(5);
    const batches = slices.map((counts) => batchForTest(counts, vectorNear));
    const [whole, resumed] = [open(), open()];
    for (const batch of batches.slice(0, 2)) await whole.advance(batch);
    const saved = whole.save();
    const bytes = packState(saved);
    for (const batch of batches.slice(2)) await whole.advance(batch);
    expect(Buffer.compare(packState(saved), bytes)).toBe(0);
    resumed.restore(saved);
    for (const batch of batches.slice(2)) await resumed.advance(batch);
    expect(Buffer.compare(packState(resumed.save()), packState(whole.save()))).toBe(0);
    expect(resumed.name).toBe(name.split(',')[0]);
  });
});

describe('matched tracker', () => {
  it('ends a topic that is without a match, and gives one that comes back a new number', async () => {
    const results = await run(matched({ clusterer: { kind: 'k-means', k: 'silhouette' } })(), [
      { 0: 20, 4: 15, 8: 12 },
      { 0: 20, 4: 15 },
      { 0: 20, 4: 15, 8: 12 },
    ]);
    const [gone] = results[1]!.events;
    expect(gone).toMatch(/^end [123]$/);
    expect(results[2]!.events).toEqual(['emergence 4']);
  });

  it('leaves noise of HDBSCAN without a topic', async () => {
    const tracker = matched({ clusterer: { kind: 'hdbscan' } })();
    const [result] = await run(tracker, [{ 0: 20, 4: 20, 9: 2 }]);
    expect(result!.shares).toMatch(/9>-1:2/);
  });
});

describe('carried tracker', () => {
  const open = () => carriedTracker(context);

  it('makes a topic of documents once there are enough of them within the window', async () => {
    const results = await run(open(), [{ 0: 20 }, { 0: 20, 4: 1 }, { 0: 20, 4: 1 }, { 0: 20, 4: 1 }]);
    expect(results.map(({ events }) => events)).toEqual([['emergence 1'], [], [], ['emergence 2']]);
    // Of the slices before, the one document each is seen as the topic's once it is one.
    expect(results[3]!.assignment.past!.observations.get(2)!.map(({ size }) => size)).toEqual([0, 1, 1]);
    expect(results[1]!.shares).toBe('0>1:20 4>-1:1');
  });

  it('lets go of a few documents that stay alone', async () => {
    const results = await run(open(), [{ 0: 20, 4: 2 }, ...Array(7).fill({ 0: 20 }), { 0: 20, 4: 2 }]);
    expect(results.flatMap(({ events }) => events)).toEqual(['emergence 1']);
  });

  it('ends a topic after eight slices without documents, and knows it again when it returns', async () => {
    const results = await run(open(), [
      { 0: 20, 4: 15 },
      { 0: 20, 4: 15 },
      ...Array(10).fill({ 0: 20 }),
      { 0: 20, 4: 15 },
      { 0: 20, 4: 15 },
    ]);
    const told = results.flatMap(({ events }, slice) => events.map((event) => `${slice} ${event}`));
    expect(told).toEqual(
      ['0 emergence 1', '0 emergence 2', '9 end 1', '12 return 1'].map((text) => {
        const number = results[0]!.shares.match(/4>(\d)/)![1]!;
        return text.replace(/(end|return) 1/, `$1 ${number}`);
      }),
    );
    expect(results[8]!.assignment.alive).toEqual([1, 2]);
    expect(results[9]!.assignment.alive).toHaveLength(1);
  });

  it('keeps a topic whose documents pause for less than that', async () => {
    const results = await run(open(), [{ 0: 20, 4: 15 }, ...Array(7).fill({ 0: 20 }), { 0: 20, 4: 15 }]);
    expect(results.flatMap(({ events }) => events)).toEqual(['emergence 1', 'emergence 2']);
    expect(results[8]!.shares).toBe(results[0]!.shares);
  });

  /** Slices of documents spread evenly between two directions that are `angle` apart, around the first axis. */
  async function runAngles(angles: readonly number[]) {
    const tracker = carriedTracker(context, { similarity: 0.8 });
    const vectorNear = vectorSource(7);
    const told: string[] = [];
    for (const [slice, angle] of angles.entries()) {
      const vector = (side: number) => {
        const noise = vectorNear(0).map((value, i) => (value - (i === 0 ? 1 : 0)) * 0.2);
        noise[0]! += Math.cos((side * angle) / 2);
        noise[1]! += Math.sin((side * angle) / 2);
        return noise;
      };
      let n = 0;
      const batch = batchForTest({ 0: 60 }, () => vector(n++ % 2 === 0 ? 1 : -1));
      const { events } = await tracker.advance(batch);
      for (const { kind, topic, other } of events) told.push(`${slice} ${kind} ${topic} ${other}`);
    }
    return told;
  }

  it('splits a topic whose documents part, and merges topics that have become alike', async () => {
    const [apart, together] = [1.4, 0.2];
    // Half of the angle is within reach of the one centroid; the halves are not alike: a split.
    expect(await runAngles([together, together, 1.1, apart])).toEqual(['0 emergence 1 null', '2 split 2 1']);
    const merging = await runAngles([apart, apart, 1.0, 0.8, 0.6, 0.4, ...Array(6).fill(0.3)]);
    expect(merging.slice(0, 2)).toEqual(['0 emergence 1 null', '0 emergence 2 null']);
    expect(merging.slice(2).map((text) => text.replace(/^\d+ /, ''))).toEqual(['merge 2 1']);
  });

  describe('a group near a topic', () => {
    const steady = Array<Record<number, number>>(4).fill({ 0: 25, 5: 25 });
    /** What happens from the fifth slice on, and how many topics there are after each. */
    async function told(later: readonly Record<number, number>[]): Promise<string[]> {
      const tracker = carriedTracker(context, { successionSimilarity: 0.2 });
      const vectorNear = vectorSource(9);
      // Axes 0 and 1 share a direction: 0.3 alike, too little to belong to one another.
      const mixed = (axis: number) => {
        const vector = vectorNear(axis);
        if (axis < 2) vector[11]! += 0.65;
        return vector;
      };
      const lines: string[] = [];
      for (const counts of [...steady, ...later]) {
        const { events, alive } = await tracker.advance(batchForTest(counts, mixed));
        const named = events.map(({ kind, topic, other }) => `${kind} ${topic} ${other ?? '-'}`);
        lines.push(`${named.join()} (${alive.length})`);
      }
      return lines.slice(steady.length);
    }

    it('that has filled its place is the same topic, drifted', async () => {
      expect(await told(Array(2).fill({ 1: 25, 5: 25 }))).toEqual(['succession 1 - (2)', ' (2)']);
    });

    it('that takes its place in the midst of a slice is seen to have done so in the next', async () => {
      const handover = { 0: 14, 1: 11, 5: 25 };
      expect(await told([handover, { 1: 25, 5: 25 }])).toEqual(['emergence 3 - (3)', 'succession 1 3 (2)']);
    });

    it('is a topic of its own while the other is there, and where that leaves later', async () => {
      const both = { 0: 14, 1: 11, 5: 25 };
      expect(await told([both, both, { 1: 25, 5: 25 }])).toEqual(['emergence 3 - (3)', ' (3)', ' (3)']);
    });
  });

  it('counts the past again from what it has kept, of large slices by a sample', async () => {
    const results = await run(open(), [{ 0: 3000, 4: 100 }, { 0: 10 }]);
    const topic = Number(results[0]!.shares.match(/0>(\d)/)![1]);
    const [{ size, sum }] = results[1]!.assignment.past!.observations.get(topic)! as never as [
      { size: number; sum: Float64Array },
    ];
    expect(size).toBeGreaterThan(2950);
    expect(size).toBeLessThan(3050);
    expect(sum[0]! / size).toBeGreaterThan(0.9);
  });

  it('refuses settings that cannot be', () => {
    for (const options of [
      { window: 0 },
      { leastDocuments: 1.5 },
      { endAfter: -1 },
      { similarity: 0 },
      { mergeSimilarity: 1.1 },
      { successionSimilarity: Number.NaN },
    ]) {
      expect(() => carriedTracker(context, options)).toThrow(InvalidArgumentError);
    }
  });
});
