import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MatrixProduct } from '../../inference/MatrixProduct.js';
import type { PublishedSlice, TopicPoint } from '../publishedSlice.js';
import { baselineRule } from '../rules/baselineRule.js';
import type { TrendRule } from '../rules/trendRule.js';
import { countTerms } from '../terms/termsOf.js';
import { batchForTest, testDimension } from '../testing/documentsForTest.js';
import type { TopicEvent } from '../trackers/TopicTracker.js';
import { evaluateSeries, labelAt, labelLeakage } from './evaluateSeries.js';
import { fullStreamViews, type GlobalDocuments, globalView, refittedViews } from './globalViews.js';
import { hindsightViews, publishedViews } from './topicViews.js';
import { selectSeries, speaksOf } from './trendSeries.js';

let product: MatrixProduct;
beforeAll(async () => {
  product = await MatrixProduct.open();
});
afterAll(() => product.close());

const rule = baselineRule({ sustained: 1, evidence: 0, settle: 0 }) as unknown as TrendRule;

function point(topic: number, size: number, past: readonly number[], about: readonly string[]): TopicPoint {
  return { topic, size, past, terms: [], about, label: 'stable', ratio: null, drift: null, entities: [] };
}

function slice(points: readonly TopicPoint[], events: readonly TopicEvent[] = []): PublishedSlice {
  return { points, events } as unknown as PublishedSlice;
}

function event(kind: TopicEvent['kind'], topic: number, other: number | null): TopicEvent {
  return { kind, topic, other, cosine: null, documents: 0 };
}

describe('publishedViews', () => {
  const views = publishedViews([
    slice([point(1, 5, [], ['old'])]),
    slice([point(1, 4, [5], ['old']), point(2, 3, [2], ['new'])]),
    slice([point(2, 7, [1, 3], ['new'])]),
  ]);

  it('shows, after each slice, what was known by then: looked back on, but never ahead', async () => {
    expect(await views.at(0)).toEqual([{ topic: 1, sizes: Float64Array.of(5), terms: ['old'] }]);
    expect((await views.at(1)).map(({ sizes }) => Array.from(sizes))).toEqual([
      [5, 4],
      [2, 3],
    ]);
    expect((await views.at(2)).map(({ sizes }) => Array.from(sizes))).toEqual([
      [5, 4, 0],
      [1, 3, 7],
    ]);
  });

  const ended = (topic: number): TopicPoint => ({ ...point(topic, 0, [], []), label: 'ended' });
  const seen = async (slices: readonly PublishedSlice[]) =>
    (await publishedViews(slices).at(slices.length - 1)).map(({ topic, sizes }) => [topic, ...sizes]);

  it('gives what was before the look back to the topic that another has become part of, or that it succeeds', async () => {
    const before = [
      slice([point(1, 4, [], []), point(2, 6, [], [])]),
      slice([point(1, 5, [4], []), point(2, 7, [6], [])]),
    ];
    for (const end of [event('merge', 2, 1), event('succession', 1, 2)]) {
      // One slice is looked back on.
      const after = slice([point(1, 9, [12], []), ended(2)], [end]);
      expect(await seen([...before, after])).toEqual([[1, 10, 12, 9]]);
    }
  });

  it('shares out what was before the look back when a topic parts', async () => {
    const before = [slice([point(1, 8, [], [])]), slice([point(1, 8, [8], [])])];
    const after = slice([point(1, 4, [5], []), point(2, 1, [2], [])], [event('split', 2, 1)]);
    // 9 of the 12 documents known again stay.
    expect(await seen([...before, after])).toEqual([
      [1, 6, 5, 4],
      [2, 2, 2, 1],
    ]);
  });

  it('keeps volumes and terms of a topic that has ended', async () => {
    const slices = [slice([point(1, 4, [], ['old'])]), slice([ended(1)], [event('end', 1, null)])];
    expect(await publishedViews(slices).at(1)).toEqual([{ topic: 1, sizes: Float64Array.of(4, 0), terms: ['old'] }]);
  });

  it('shows with hindsight what is known after the last', async () => {
    const late = await hindsightViews(views, 3).at(1);
    expect(late.map(({ sizes }) => Array.from(sizes))).toEqual([
      [5, 4],
      [1, 3],
    ]);
  });
});

describe('selectSeries', () => {
  const labels = [['acme', 'big-corp'], ['acme', 'acme'], ['acme'], ['big-corp'], ['quiet'], ['quiet'], []];
  const texts = ['acme and big corp', 'acme', 'nothing', 'corp big', 'x', 'y', 'acme'];
  const terms = texts.map((text) => countTerms([text]));

  it('takes the largest series that the texts name, by their names', () => {
    const series = selectSeries(labels, terms, {}, { leastDocuments: 2, leastNamed: 0.5 });
    expect(series.map(({ name, documents, named }) => [name, documents, named])).toEqual([
      ['acme', 3, 2],
      ['big-corp', 2, 2],
    ]);
    expect(Array.from(series[0]!.members)).toEqual([1, 1, 1, 0, 0, 0, 0]);
    expect(selectSeries(labels, terms, {}, { leastDocuments: 2, most: 1 })).toHaveLength(1);
    expect(
      selectSeries(labels, terms, { quiet: ['nothing at all'] }, { leastDocuments: 2, leastNamed: 0 }),
    ).toHaveLength(3);
  });

  it('finds a series in a topic by all words of one of its names', () => {
    const words = [['cross', 'site', 'scripting'], ['xss']];
    expect(speaksOf({ terms: ['xss', 'plugin'] }, { words })).toBe(true);
    expect(speaksOf({ terms: ['site', 'cross', 'scripting'] }, { words })).toBe(true);
    expect(speaksOf({ terms: ['cross', 'site'] }, { words })).toBe(false);
  });
});

describe('evaluateSeries', () => {
  // Two weeks to begin with, four of baseline, then growth and decay.
  const volumes = [9, 1, 4, 4, 4, 4, 8, 8, 4, 1, 4];
  const slices = Uint32Array.from(volumes.flatMap((count, index) => Array(count).fill(index) as number[]));
  const series = selectSeries(
    Array.from(slices, () => ['acme']),
    Array.from(slices, () => countTerms(['acme'])),
    {},
    { leastDocuments: 1 },
  );
  const options = { series, slices, spans: volumes.map(() => 7), rule, burnIn: 2 };
  const truth = (upTo: number) => ({ topic: 1, terms: ['acme'], sizes: Float64Array.from(volumes.slice(0, upTo + 1)) });

  it('scores perfect views with 1, whether the series is one topic or several', async () => {
    const whole = await evaluateSeries({ at: async (index) => [truth(index)] }, options);
    const halves = await evaluateSeries(
      {
        at: async (index) =>
          [1, 2].map((topic) => ({ ...truth(index), topic, sizes: truth(index).sizes.map((n) => n / 2) })),
      },
      options,
    );
    for (const { scores, bySeries, labels } of [whole, halves]) {
      expect(scores.macroF1).toBe(1);
      expect(bySeries).toMatchObject([{ series: 'acme', documents: slices.length, scores: { macroF1: 1 } }]);
      expect(bySeries[0]!.correlation).toBeCloseTo(1, 12);
      expect(labels.map(({ actual }) => actual)).toEqual(['growth', 'growth', 'stable', 'decay', 'stable']);
    }
  });

  it('scores views that find nothing with 0, and looks at every `step`-th slice', async () => {
    const views = { at: async (index: number) => [{ ...truth(index), terms: ['other'] }] };
    const { scores, labels, bySeries } = await evaluateSeries(views, { ...options, step: 2 });
    expect(labels.map(({ slice: index }) => index)).toEqual([6, 8, 10]);
    expect(scores.labels.find(({ label }) => label === 'growth')).toMatchObject({ actual: 1, agreed: 0, f1: 0 });
    expect(bySeries[0]!.correlation).toBeNull();
  });

  it('labels a slice by the volumes up to it', () => {
    const sizes = Float64Array.from(volumes);
    const spans = volumes.map(() => 7);
    for (let index = 2; index < volumes.length; index++) {
      const later = sizes.map((size, i) => (i > index ? size * 10 : size));
      expect(labelAt(later, spans, rule, 2, index)).toBe(labelAt(sizes, spans, rule, 2, index));
    }
  });
});

describe('labelLeakage', () => {
  it('counts labels that hindsight changes, over the slices that both have', () => {
    const label = (index: number, predicted: 'growth' | 'stable') => {
      return { series: 'acme', slice: index, actual: 'growth', predicted } as const;
    };
    const asOf = [label(1, 'stable'), label(2, 'growth'), label(3, 'growth')];
    expect(labelLeakage(asOf, [label(1, 'growth'), label(2, 'growth'), label(9, 'stable')])).toEqual({
      items: 2,
      changed: 1,
      changedShare: 0.5,
      macroF1Gain: 1 - 2 / 3,
    });
    expect(labelLeakage([], [])).toMatchObject({ items: 0, changedShare: null, macroF1Gain: null });
  });
});

describe('global clustering', () => {
  const batches = [{ 0: 12, 5: 8 }, { 0: 10, 5: 9, 9: 11 }, { 9: 14 }].map((counts) => batchForTest(counts));
  const documents: GlobalDocuments = {
    dimension: testDimension,
    vectors: Float32Array.from(batches.flatMap(({ vectors }) => Array.from(vectors))),
    slices: Uint32Array.from(batches.flatMap(({ count }, index) => Array(count).fill(index) as number[])),
    terms: batches.flatMap(({ texts }) => texts.map((text) => countTerms([text]))),
  };
  const options = () => ({ seed: 1, product, clustersOf: (count: number) => (count > 20 ? 3 : 2) });

  it('counts clusters by slice and names them', async () => {
    const views = await globalView(documents, 2, options());
    const told = views.map(({ terms, sizes }) => `${terms} ${Array.from(sizes)}`).sort();
    expect(told).toEqual(['axis0 12,10,0', 'axis5 8,9,0', 'axis9 0,11,14']);
  });

  it('knows nothing of later slices when it is fitted anew after each, and all of them from the full stream', async () => {
    const cut = {
      ...documents,
      vectors: documents.vectors.slice(0, 20 * testDimension),
      slices: documents.slices.slice(0, 20),
    };
    expect(await refittedViews(documents, options()).at(0)).toEqual(await refittedViews(cut, options()).at(0));
    const full = await fullStreamViews(documents, 3, options()).at(0);
    expect(full.map(({ sizes }) => Array.from(sizes)).sort()).toEqual([[0], [12], [8]]);
    expect(await globalView({ ...documents, slices: new Uint32Array(0) }, 0, options())).toEqual([]);
  });
});
