/**
 * Trend labels on the synthetic stream of the temporal RAG paper (sections 5.2.1 and 5.3).
 *
 *     npx tsx examples/synthetic-stream/evaluate.ts [--events events.jsonl] [--seeds 20] [--first 1] [--json]
 *
 * Embeds the events with MiniLM, tracks topics by several ways, under ISO weeks and under weeks of %U, and compares labels
 * with the script of the stream: macro-F1 over growth, drift and decay on its 16 labelled topic-weeks, and on all
 * topic-weeks. With `--events` the paper's instance comes first; then streams of so many seeds, with mean and spread.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sha256Hex } from '../../src/commitment/sha256.js';
import { CachedEmbedder } from '../../src/embedding/cache/CachedEmbedder.js';
import type { Embedder } from '../../src/embedding/Embedder.js';
import { openMinilm } from '../../src/embedding/minilm/openMinilm.js';
import { InvalidArgumentError } from '../../src/errors/InvalidArgumentError.js';
import { scoreLabels } from '../../src/evaluation/labelScores.js';
import { userCacheFolder } from '../../src/files/userCacheFolder.js';
import { MatrixProduct } from '../../src/inference/MatrixProduct.js';
import type { Slice } from '../../src/time/calendar.js';
import { millisecondsPerDay } from '../../src/time/instant.js';
import { parseInstant } from '../../src/time/parseInstant.js';
import { labelAt } from '../../src/topics/evaluation/evaluateSeries.js';
import type { PublishedSlice } from '../../src/topics/publishedSlice.js';
import type { TopicDocuments } from '../../src/topics/TopicDocuments.js';
import { createRule, type RuleChoice, type TopicModelOptions, trackTopics } from '../../src/topics/trackTopics.js';
import { generateStream, type StreamEvent } from './generateStream.js';

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string' },
    seeds: { type: 'string', default: '20' },
    first: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});

const [seedCount, firstSeed] = [integerOf('--seeds', flags.seeds, 1), integerOf('--first', flags.first, 0)];

const trends = ['growth', 'drift', 'decay'] as const;
/** The paper's rule: every slice stands for itself, against the first four. */
const paperBaseline = { kind: 'baseline', sustained: 1, evidence: 0, settle: 0 } as const;

/** The three series of the script: words that name them, and the label of each week (section 5.2.1). */
const series = [
  {
    prefix: 'A',
    words: ['okta', 'vpn', 'mfa', 'auth', 'failure'],
    gold: (w: number) => (w >= 4 && w <= 8 ? 'growth' : ''),
  },
  {
    prefix: 'B',
    words: ['snowflake', 's3', 'data', 'sql', 'select', 'getobject'],
    gold: (w: number) => (w >= 6 ? 'drift' : ''),
  },
  {
    prefix: 'C',
    words: ['qualys', 'openssl', 'vuln', 'vulnerability', 'cve'],
    gold: (w: number) => (w >= 9 ? 'decay' : ''),
  },
] as const;

interface Way {
  readonly name: string;
  /** Topics found in the texts, or the true volumes of the series. */
  readonly tracked?: TopicModelOptions;
  readonly trueVolumes?: RuleChoice;
}

const ways: readonly Way[] = [
  { name: 'default: carried tracker, baseline', tracked: {} },
  { name: 'carried tracker, delta', tracked: { rule: { kind: 'delta' } } },
  { name: 'k-means each slice, delta', tracked: { tracker: { kind: 'matched' }, rule: { kind: 'delta' } } },
  {
    name: 'HDBSCAN each slice, delta',
    tracked: { tracker: { kind: 'matched', clusterer: { kind: 'hdbscan' } }, rule: { kind: 'delta' } },
  },
  { name: "k-means each slice, the paper's baseline", tracked: { tracker: { kind: 'matched' }, rule: paperBaseline } },
  { name: "true volumes, the paper's baseline", trueVolumes: paperBaseline },
  { name: 'true volumes, baseline', trueVolumes: { kind: 'baseline' } },
  { name: 'true volumes, delta', trueVolumes: { kind: 'delta' } },
];

type Pair = readonly [actual: string, predicted: string];

/** Macro-F1 on the labelled topic-weeks, as the paper has it, and on all topic-weeks of whole weeks. */
interface Scores {
  readonly labelled: number;
  readonly all: number;
}

const product = await MatrixProduct.open();
const embedder = new CachedEmbedder(await openMinilm(), join(userCacheFolder(), 'embeddings'));
const results: { way: string; slices: string; instance: Scores | null; seeds: Scores[] }[] = [];
try {
  const instance = flags.events === undefined ? null : readEvents(flags.events);
  const streams = Array.from({ length: seedCount }, (_, i) => generateStream(firstSeed + i));
  for (const slices of ['iso-week', 'us-week'] as const) {
    for (const way of ways) {
      const scores = async (events: readonly StreamEvent[]) => score(await labelsBy(way, slices, events));
      const seeds: Scores[] = [];
      for (const events of streams) seeds.push(await scores(events));
      results.push({ way: way.name, slices, instance: instance === null ? null : await scores(instance), seeds });
    }
  }
} finally {
  await embedder.close();
  await product.close();
}
if (flags.json) console.log(JSON.stringify(results, null, 2));
else for (const line of report()) console.log(line);

/** @throws InvalidArgumentError */
function integerOf(argument: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidArgumentError({ argument, value: text, expected: `an integer of at least ${least}` });
}

/** The labels of the script beside those found, for every series and slice that holds an event. */
async function labelsBy(way: Way, calendar: 'iso-week' | 'us-week', events: readonly StreamEvent[]): Promise<Pair[]> {
  const documents = await documentsOf(events, embedder);
  const last = Math.max(...documents.eventAt);
  // A week after the last event all slices are over.
  const asOf = last + 8 * millisecondsPerDay;
  const rule = way.trueVolumes ?? way.tracked?.rule;
  const tracking = await trackTopics(documents, { ...way.tracked, rule, slices: { kind: calendar }, asOf, product });
  const slices = tracking.slices.filter(({ start }) => start <= last);
  return series.flatMap((own) =>
    slices.map((slice, index): Pair => {
      const found =
        way.trueVolumes === undefined
          ? labelOfTopic(slice, own.words)
          : trueLabel(own.prefix, events, documents.eventAt, slices, index, way.trueVolumes);
      return [own.gold(index) || 'stable', found];
    }),
  );
}

/** The label of the topic whose terms name a series most; the larger of equals. */
function labelOfTopic({ points }: PublishedSlice, words: readonly string[]): string {
  const named = points
    .map((point) => ({ point, hits: words.filter((word) => point.terms.some((term) => term.includes(word))).length }))
    .sort((a, b) => b.hits - a.hits || b.point.size - a.point.size)[0];
  return named === undefined || named.hits === 0 ? 'stable' : (named.point.label ?? 'stable');
}

/** The rule applied to the true volumes; that the content of B changes with week 6 is taken from the script as well. */
function trueLabel(
  prefix: string,
  events: readonly StreamEvent[],
  eventAt: Float64Array,
  slices: readonly Slice[],
  index: number,
  choice: RuleChoice,
): string {
  const sizes = Float64Array.from(slices, ({ start, end }) =>
    events.reduce((sum, { event_id }, row) => {
      const isIn = event_id.startsWith(`${prefix}-`) && eventAt[row]! >= start && eventAt[row]! < end;
      return sum + (isIn ? 1 : 0);
    }, 0),
  );
  const spans = slices.map(({ start, end }) => end - start);
  if (prefix !== 'B') return labelAt(sizes, spans, createRule(choice), 0, index);
  return labelWithContent(sizes, spans, choice, index, events, eventAt, slices);
}

/** Series B with its content: a direction for S3 and one for Snowflake, by the events of each slice. */
function labelWithContent(
  sizes: Float64Array,
  spans: readonly number[],
  choice: RuleChoice,
  index: number,
  events: readonly StreamEvent[],
  eventAt: Float64Array,
  slices: readonly Slice[],
): string {
  const rule = createRule(choice);
  const observe = (i: number) => {
    const own = events.filter(
      ({ event_id }, row) =>
        event_id.startsWith('B-') && eventAt[row]! >= slices[i]!.start && eventAt[row]! < slices[i]!.end,
    );
    const later = own.filter(({ product: name }) => name === 'snowflake').length;
    const terms = later * 2 > own.length ? ['snowflake', 'sql', 'select'] : ['s3', 'aws', 'getobject'];
    return { size: sizes[i]!, span: spans[i]!, sum: Float64Array.of(own.length - later, later), terms };
  };
  let judgement = rule.begin(observe(0));
  for (let i = 1; i <= index; i++) judgement = rule.next(judgement.state, observe(i));
  return judgement.label;
}

function score(pairs: readonly Pair[]): Scores {
  // Scored as the paper does: a label that nothing has and nothing was given counts as 0 here, not as undefined.
  const macro = (of: readonly Pair[]) =>
    scoreLabels(of, trends).labels.reduce((sum, { f1 }) => sum + (f1 ?? 0), 0) / trends.length;
  return { labelled: macro(pairs.filter(([actual]) => actual !== 'stable')), all: macro(pairs) };
}

/** The text of an event as `asof ingest --preset logs` writes it. */
function textOf({ product: name, event_type, msg, tech, attack }: StreamEvent): string {
  return `${name} ${event_type}\n${msg}\n${[...tech, ...attack].join(', ')}`;
}

async function documentsOf(events: readonly StreamEvent[], model: Embedder): Promise<TopicDocuments> {
  const texts = events.map(textOf);
  const { vectors, present } = await model.embed(texts);
  const { dimension } = model;
  const eventAt = Float64Array.from(events, ({ ts }) => parseInstant(ts));
  return {
    size: events.length,
    ids: events.map(({ event_id }) => event_id),
    eventAt,
    availableAt: eventAt,
    dimension,
    load(rows) {
      const loaded = Array.from(rows);
      const matrix = new Float32Array(loaded.length * dimension);
      for (const [i, row] of loaded.entries()) {
        matrix.set(vectors.subarray(row * dimension, (row + 1) * dimension), i * dimension);
      }
      return Promise.resolve({
        vectors: matrix,
        present: Uint8Array.from(loaded, (row) => present[row]!),
        texts: loaded.map((row) => texts[row]!),
        entities: loaded.map((row) => events[row]!.tech),
        contentHashes: loaded.map((row) => sha256Hex(texts[row]!)),
      });
    },
  };
}

function readEvents(file: string): StreamEvent[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as StreamEvent);
}

function report(): string[] {
  const fixed = (value: number) => value.toFixed(2);
  return [
    '| way | weeks | instance | seeds, mean ± s.d. (least) | instance, all weeks | seeds, all weeks |',
    '| --- | --- | --- | --- | --- | --- |',
    ...results.map(({ way, slices, instance, seeds }) => {
      const cell = (of: keyof Scores) => {
        const own = seeds.map((scores) => scores[of]);
        const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
        // One stream has no spread.
        if (own.length === 1) return fixed(mean);
        const variance = own.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (own.length - 1);
        return `${fixed(mean)} ± ${fixed(Math.sqrt(variance))} (${fixed(Math.min(...own))})`;
      };
      const own = instance === null ? ['-', '-'] : [fixed(instance.labelled), fixed(instance.all)];
      return `| ${way} | ${slices} | ${own[0]} | ${cell('labelled')} | ${own[1]} | ${cell('all')} |`;
    }),
  ];
}
