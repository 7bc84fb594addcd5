/**
 * Parsing of ISO 8601 times beside `Date.parse` and Temporal's `Instant.from` (temporal-polyfill), one thread.
 *
 *     npm run bench -- bench/parseInstant.ts [--rounds 15]
 *
 * The parsers take turns within one run, so that a busy machine slows all; what counts is the ratio of medians.
 * `Date.parse` accepts far more than ISO 8601 and takes a missing offset for local time; it is here as a yardstick.
 */
import { parseArgs } from 'node:util';
import { Temporal } from 'temporal-polyfill';
import { instantParser } from '#asof/time/parseInstant.js';
import { median } from './support/measure.js';

const count = 20_000;
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });

const utcTexts = Array.from({ length: count }, (_, index) => {
  const text = new Date(index * 76_543_210).toISOString();
  return index % 2 === 0 ? text : `${text.slice(0, 19)}+02:00`;
});
const localTexts = utcTexts.map((text) => text.slice(0, 19));

const plain = instantParser();
const newYork = instantParser({ zone: 'America/New_York' });
const contenders: Record<string, () => number> = {
  'asof, offset': () => sum(utcTexts, (text) => plain.parse(text)),
  'Date.parse, offset': () => sum(utcTexts, (text) => Date.parse(text)),
  'Temporal, offset': () => sum(utcTexts, (text) => Temporal.Instant.from(text).epochMilliseconds),
  'asof, zone': () => sum(localTexts, (text) => newYork.parse(text)),
  'Temporal, zone': () => sum(localTexts, temporalInNewYork),
};

function temporalInNewYork(text: string): number {
  return Temporal.PlainDateTime.from(text).toZonedDateTime('America/New_York').epochMilliseconds;
}

function sum(texts: readonly string[], parse: (text: string) => number): number {
  let total = 0;
  for (const text of texts) total += parse(text);
  return total;
}

const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
const sums = new Map<string, number>();
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, run] of Object.entries(contenders)) {
    const start = performance.now();
    sums.set(name, run());
    times.get(name)!.push(performance.now() - start);
  }
}
for (const group of ['offset', 'zone']) {
  const answers = new Set([...sums].filter(([name]) => name.endsWith(group)).map(([, total]) => total));
  if (answers.size !== 1) throw new Error(`the parsers disagree on texts with ${group}`);
}
const baseline = median(times.get('asof, offset')!);
console.log('parser               million a second   time over asof with offset');
for (const [name, rounds] of times) {
  const milliseconds = median(rounds);
  const rate = (count / milliseconds / 1_000).toFixed(2);
  console.log(`${name.padEnd(20)} ${rate.padStart(16)}   ${(milliseconds / baseline).toFixed(1).padStart(26)}`);
}
