/**
 * What a tracker costs over ten years of weekly data that grows as the NVD has: by year, per document and per slice, and
 * what one more week costs when the weeks before are published.
 *
 *     npx tsx bench/topics.ts [--json] [--years 10] [--first 120] [--last 550] [--matched]
 *
 * Documents are made up: weekly volumes grow evenly from `--first` to `--last` (the NVD had some 6,400 records in 2016 and
 * 29,000 in 2023); each is a vector of 384 numbers near one of 300 topics, which come and go, and a text of 40 words, so
 * that clustering, counting again, terms and hashing are all measured, and embedding is not.
 */
import { parseArgs } from 'node:util';
import { sha256Hex } from '../src/commitment/sha256.js';
import { MatrixProduct } from '../src/inference/MatrixProduct.js';
import { RandomSource } from '../src/random/RandomSource.js';
import { instantOfDate } from '../src/time/civil.js';
import { millisecondsPerDay } from '../src/time/instant.js';
import type { PublishedSlice } from '../src/topics/publishedSlice.js';
import { packState } from '../src/topics/state/packState.js';
import type { TopicDocuments } from '../src/topics/TopicDocuments.js';
import { type TopicModelOptions, trackTopics } from '../src/topics/trackTopics.js';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    years: { type: 'string', default: '10' },
    first: { type: 'string', default: '120' },
    last: { type: 'string', default: '550' },
    /** Measures the tracker that clusters each slice by itself as well. */
    matched: { type: 'boolean', default: false },
  },
});

/** Processor time spent on making documents so far. */
let madeMilliseconds = 0;

const dimension = 384;
const topicCount = 300;
const weeksPerYear = 52;
const week = 7 * millisecondsPerDay;
const start = instantOfDate(2014, 1, 6);

/** Documents whose vectors and texts are made when they are asked for: memory stays that of a slice. */
function growingStream(weeks: number, first: number, last: number): TopicDocuments {
  const counts = Array.from({ length: weeks }, (_, i) => Math.round(first + ((last - first) * i) / (weeks - 1)));
  const size = counts.reduce((sum, count) => sum + count, 0);
  const eventAt = new Float64Array(size);
  const weekOf = new Uint32Array(size);
  let row = 0;
  for (const [index, count] of counts.entries()) {
    for (let n = 0; n < count; n++, row++) {
      eventAt[row] = start + index * week + Math.floor((n * week) / count);
      weekOf[row] = index;
    }
  }
  const centres = directions(topicCount);
  return {
    size,
    ids: Array.from(eventAt, (_, i) => `document ${i}`),
    eventAt,
    availableAt: eventAt,
    dimension,
    load(rows) {
      const usage = process.cpuUsage();
      const vectors = new Float32Array(rows.length * dimension);
      const texts: string[] = [];
      for (const [i, document] of rows.entries()) {
        const random = new RandomSource(document, 'bench/topics');
        // A topic is there for about two years, and a third of the topics always.
        const age = Math.floor(weekOf[document]! / 26);
        const topic = random.below(3) === 0 ? random.below(100) : 100 + ((age * 12 + random.below(48)) % 200);
        writeNear(vectors, i * dimension, centres, topic * dimension, random);
        texts.push(Array.from({ length: 40 }, () => `word${topic}x${random.below(60)}`).join(' '));
      }
      const { user, system } = process.cpuUsage(usage);
      madeMilliseconds += (user + system) / 1000;
      return Promise.resolve({
        vectors,
        present: new Uint8Array(rows.length).fill(1),
        texts,
        entities: texts.map(() => []),
        contentHashes: texts.map((text) => sha256Hex(text)),
      });
    },
  };
}

function directions(count: number): Float32Array {
  const random = new RandomSource(1, 'bench/topics/centres');
  const rows = new Float32Array(count * dimension);
  for (let i = 0; i < rows.length; i++) rows[i] = random.unit() - 0.5;
  return rows;
}

/** A unit vector whose cosine with its centre is about 0.75. */
function writeNear(target: Float32Array, at: number, centres: Float32Array, from: number, random: RandomSource): void {
  let square = 0;
  for (let i = 0; i < dimension; i++) {
    target[at + i] = centres[from + i]! + (random.unit() - 0.5) * 0.88;
    square += target[at + i]! ** 2;
  }
  const length = Math.sqrt(square);
  for (let i = 0; i < dimension; i++) target[at + i]! /= length;
}

interface YearCost {
  readonly year: number;
  readonly documents: number;
  readonly seconds: number;
  readonly millisecondsPerDocument: number;
  readonly millisecondsPerSlice: number;
  /** Alive in the year's last slice. */
  readonly topics: number;
}

interface Costs {
  readonly years: readonly YearCost[];
  readonly nextWeek: { readonly documents: number; readonly milliseconds: number };
  readonly modelMegabytes: number;
}

const product = await MatrixProduct.open({ threads: 1 });
const weeks = Number(flags.years) * weeksPerYear;
const results: Record<string, unknown> = { node: process.version, weeks };
try {
  const growing = growingStream(weeks + 1, Number(flags.first), Number(flags.last));
  const flat = growingStream(weeks + 1, Number(flags.first), Number(flags.first));
  const settings: [string, TopicDocuments, TopicModelOptions][] = [
    ['carried, growing', growing, {}],
    ['carried, even', flat, {}],
  ];
  if (flags.matched) settings.push(['matched, growing', growing, { tracker: { kind: 'matched' } }]);
  for (const [name, documents, options] of settings) {
    const costs = await costsOf(documents, options);
    results[name] = costs;
    if (!flags.json) print(name, costs);
  }
} finally {
  await product.close();
}
if (flags.json) console.log(JSON.stringify(results, null, 2));

/** Processor time since `usage`, without what making the documents has taken. */
function spentSince(usage: NodeJS.CpuUsage, making: number): number {
  const { user, system } = process.cpuUsage(usage);
  return (user + system) / 1000 - (madeMilliseconds - making);
}

/** Tracks all weeks but the last, year by year, and then the last one from the model of the one before. */
async function costsOf(documents: TopicDocuments, options: TopicModelOptions): Promise<Costs> {
  const years: YearCost[] = [];
  let [usage, making] = [process.cpuUsage(), madeMilliseconds];
  let inYear: PublishedSlice[] = [];
  const onSlice = (slice: PublishedSlice, done: number) => {
    inYear.push(slice);
    if (done % weeksPerYear !== 0 || done > weeks) return;
    const milliseconds = spentSince(usage, making);
    const count = inYear.reduce((sum, own) => sum + own.documents, 0);
    years.push({
      year: done / weeksPerYear,
      documents: count,
      seconds: milliseconds / 1000,
      millisecondsPerDocument: milliseconds / count,
      millisecondsPerSlice: milliseconds / inYear.length,
      topics: slice.points.filter(({ label }) => label !== 'ended').length,
    });
    inYear = [];
    [usage, making] = [process.cpuUsage(), madeMilliseconds];
  };
  const end = start + weeks * week;
  const { slices, model } = await trackTopics(documents, {
    asOf: end - 1,
    coveredUntil: end,
    product,
    ...options,
    onSlice,
  });
  const from = { slices, model: model.state };
  [usage, making] = [process.cpuUsage(), madeMilliseconds];
  const after = await trackTopics(documents, { asOf: end + week, product, ...options, from });
  const nextWeek = { documents: after.slices[weeks]!.documents, milliseconds: spentSince(usage, making) };
  return { years, nextWeek, modelMegabytes: packState(model.state).length / 1e6 };
}

function print(name: string, { years, nextWeek, modelMegabytes }: Costs): void {
  console.log(`${name}: processor time`);
  for (const { year, documents, seconds, millisecondsPerDocument, millisecondsPerSlice, topics } of years) {
    const each = `${millisecondsPerDocument.toFixed(2)} ms a document, ${millisecondsPerSlice.toFixed(0)} ms a slice`;
    console.log(`  year ${year}: ${documents} documents, ${seconds.toFixed(1)} s, ${each}, ${topics} topics`);
  }
  const { documents, milliseconds } = nextWeek;
  console.log(`  one more week of ${documents}: ${milliseconds.toFixed(0)} ms; model ${modelMegabytes.toFixed(1)} MB`);
}
