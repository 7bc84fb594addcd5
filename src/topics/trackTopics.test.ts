import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MatrixProduct } from '../inference/MatrixProduct.js';
import { RandomSource } from '../random/RandomSource.js';
import { millisecondsPerDay, millisecondsPerHour } from '../time/instant.js';
import { parseInstant } from '../time/parseInstant.js';
import { documentsForTest, type TestDocument, vectorSource } from './testing/documentsForTest.js';
import { type TopicTracking, type TrackTopicsOptions, trackTopics } from './trackTopics.js';

// Properties of whole trackings.
vi.setConfig({ testTimeout: 60_000 });

let product: MatrixProduct;
beforeAll(async () => {
  product = await MatrixProduct.open();
});
afterAll(() => product.close());

const start = parseInstant('2021-01-04');
const week = 7 * millisecondsPerDay;
const words = ['login', 'bucket', 'scan', 'phish', 'patch', 'quota'];

/**
 * Some weeks of documents near the axes of topics, so many a week each.
 *
 * @param options.latest hours after which all are available
 */
function streamOf(weeks: readonly Readonly<Record<number, number>>[], { latest = 0, seed = 1 } = {}): TestDocument[] {
  const vectorNear = vectorSource(seed);
  const random = new RandomSource(seed, 'test/times');
  return weeks.flatMap((counts, index) =>
    Object.entries(counts).flatMap(([axis, count]) =>
      Array.from({ length: count }, (_, n): TestDocument => {
        const eventAt = start + index * week + random.below(week / millisecondsPerHour) * millisecondsPerHour;
        const availableAt = eventAt + random.below(latest + 1) * millisecondsPerHour;
        const word = words[Number(axis) % words.length]!;
        const text = `${word} seen in ${word} again, case ${n}`;
        return {
          id: `${index}-${axis}-${n}`,
          eventAt,
          availableAt,
          vector: vectorNear(Number(axis)),
          text,
          entities: [word],
        };
      }),
    ),
  );
}

type Settings = Partial<TrackTopicsOptions>;
const track = (stream: readonly TestDocument[], asOf: number, options: Settings = {}): Promise<TopicTracking> =>
  trackTopics(documentsForTest(stream), { asOf, product, ...options });
const finishedSlices = ({ slices }: TopicTracking) => slices.filter(({ provisional }) => !provisional);

const settings: readonly (readonly [string, Settings])[] = [
  ['the defaults', {}],
  ['matched clusters by rule delta', { tracker: { kind: 'matched' }, rule: { kind: 'delta' } }],
  ['HDBSCAN in days', { tracker: { kind: 'matched', clusterer: { kind: 'hdbscan' } }, slices: { kind: 'day' } }],
  ['slices of equal counts', { slices: { kind: 'equal-count', documents: 40 } }],
  ['what was published', { vintage: { kind: 'published', lateness: millisecondsPerDay } }],
];

const counts = fc.array(fc.record({ 0: fc.nat(12), 4: fc.nat(12), 8: fc.nat(25) }), { minLength: 1, maxLength: 7 });

describe.each(settings)('trackTopics with %s', (_, options) => {
  it('gives the same bytes whether or not later documents are there, in whatever order all are', async () => {
    await fc.assert(
      fc.asyncProperty(counts, fc.nat(49), fc.integer(), async (weeks, day, seed) => {
        const stream = streamOf(weeks, { latest: 200 });
        const asOf = start + day * millisecondsPerDay;
        const known = stream.filter(({ availableAt }) => availableAt! <= asOf);
        const order = new RandomSource(seed, 'test/order');
        const shuffled = stream
          .map((document) => ({ document, key: order.unit() }))
          .sort((a, b) => a.key - b.key)
          .map(({ document }) => document);
        expect(await track(shuffled, asOf, options)).toEqual(await track(known, asOf, options));
      }),
      { numRuns: 8 },
    );
  });

  it('gives, slice by slice from saved models, what it gives from scratch', async () => {
    await fc.assert(
      fc.asyncProperty(counts, fc.nat(), async (weeks, pick) => {
        // Late arrivals change what is `revised`, and only that.
        const stream = streamOf(weeks, { latest: options.vintage?.kind === 'published' ? 100 : 0 });
        const end = start + (weeks.length + 1) * week;
        const whole = await track(stream, end, options);
        const asOf = start + (pick % (weeks.length + 1)) * week;
        const before = await track(stream, asOf, options);
        const from = { slices: finishedSlices(before), model: before.model.state };
        const resumed = await track(stream, end, { ...options, from });
        expect(resumed.slices).toEqual(whole.slices);
        expect(resumed.model.hash).toBe(whole.model.hash);
      }),
      { numRuns: 8 },
    );
  });
});

describe('trackTopics', () => {
  const steady = { 0: 20, 4: 20 };
  const labels = (tracking: TopicTracking) =>
    finishedSlices(tracking).map(({ points }) => points.map(({ label }) => label));

  it('labels a topic that grows over the whole span that it grows', async () => {
    const stream = streamOf([...Array(4).fill(steady), { 0: 40, 4: 20 }, { 0: 40, 4: 20 }, steady]);
    const tracking = await track(stream, start + 7 * week);
    const grown = finishedSlices(tracking).map(({ points }) => points.filter(({ label }) => label === 'growth').length);
    expect(grown).toEqual([0, 0, 0, 0, 1, 1, 0]);
    const point = tracking.slices[4]!.points.find(({ label }) => label === 'growth')!;
    expect(point).toMatchObject({ size: 40, ratio: 2, past: [20, 20, 20, 20] });
    expect(point.terms.slice(0, 3)).toContain('login');
    expect(point.entities).toEqual([{ entity: 'login', documents: 40, share: 1 }]);
  });

  it('gives an unfinished slice volumes and terms but no labels, and never calls it decay (case 31)', async () => {
    const stream = [...streamOf(Array(5).fill(steady)), ...streamOf([{ 0: 2 }]).map(inWeek(5))];
    const asOf = start + 6 * week - 1;
    const tracking = await track(stream, asOf);
    const last = tracking.slices.at(-1)!;
    expect(last).toMatchObject({ id: '2021-W06', provisional: true, documents: 2 });
    expect(last.points.map(({ label, size }) => [label, size]).sort()).toEqual([
      [null, 0],
      [null, 2],
    ]);
    // The model has learnt nothing from it.
    expect(tracking.model.hash).toBe(tracking.slices[4]!.modelHash);
    expect(last.modelHash).toBe(tracking.model.hash);
    expect(tracking.model.newestObservation).toBeLessThan(start + 5 * week);
    const finished = await track(stream, start + 6 * week);
    expect(finished.slices[5]!.points.map(({ label }) => label)).toContain('decay');
  });

  it('takes a stream of one slice, of one document, and of none', async () => {
    const one = await track(streamOf([{ 0: 10 }]), start + week);
    expect(labels(one)).toEqual([['emergence']]);
    expect(one.model).toMatchObject({ availableAt: start + week });
    const single = await track(streamOf([{ 0: 1 }]), start + week);
    expect(finishedSlices(single)).toMatchObject([{ documents: 1, unassigned: 1, points: [] }]);
    const none = await track([], start + week);
    expect(none.slices).toEqual([]);
    expect(none.model).toMatchObject({ availableAt: null, newestObservation: null });
  });

  it('says of a topic without documents that it decays, then that it has ended, and knows it when it returns', async () => {
    const both = { 0: 20, 4: 20 };
    const stream = streamOf([...Array(5).fill(both), ...Array(9).fill({ 0: 20 }), both]);
    const tracking = await track(stream, start + 15 * week);
    const gone = tracking.slices[5]!.points.find(({ size }) => size === 0)!.topic;
    const course = finishedSlices(tracking).map(({ points }) => points.find(({ topic }) => topic === gone)?.label);
    expect(course.slice(4, 13)).toEqual(['stable', ...Array(7).fill('decay'), 'ended']);
    expect(course.slice(13)).toEqual([undefined, 'emergence']);
    expect(tracking.slices[14]!.events).toMatchObject([{ kind: 'return', topic: gone }]);
  });

  it('counts documents without a vector, and leaves them out', async () => {
    const silent = { id: 'silent', eventAt: start + 1, text: '' };
    const { slices } = await track([...streamOf([{ 0: 10 }]), silent], start + week);
    expect(slices[0]).toMatchObject({ documents: 11, withoutVector: 1, unassigned: 0 });
    expect(slices[0]!.points[0]!.size).toBe(10);
  });

  it('names what each slice was made of: another text is another hash', async () => {
    const stream = streamOf([{ 0: 10 }]);
    const hash = async (documents: TestDocument[]) => (await track(documents, start + week)).slices[0]!.documentsHash;
    const altered = stream.map((document, i) => (i === 3 ? { ...document, text: 'altered' } : document));
    expect(await hash(stream)).toBe(await hash(stream.toReversed()));
    expect(await hash(altered)).not.toBe(await hash(stream));
  });

  it('can be stopped between slices', async () => {
    const stopped = new AbortController();
    const stream = streamOf(Array(4).fill(steady));
    const options = { signal: stopped.signal, onSlice: () => stopped.abort(new Error('enough')) };
    await expect(track(stream, start + 4 * week, options)).rejects.toThrow('enough');
  });

  it('writes every setting down', async () => {
    const { parameters } = await track([], start);
    expect(parameters).toMatchObject({
      tracker: { name: 'carried', parameters: { similarity: 'auto', leastDocuments: 3, window: 8, seed: 1 } },
      rule: { name: 'baseline', parameters: { window: 4, growth: 1.5, decay: 0.5, drift: 0.2 } },
    });
  });
});

function inWeek(index: number): (document: TestDocument) => TestDocument {
  return (document) => ({
    ...document,
    id: `late ${document.id}`,
    eventAt: document.eventAt + index * week,
    availableAt: document.availableAt! + index * week,
  });
}
