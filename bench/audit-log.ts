/**
 * `auditLog` over a generated log: answers a second of processor time, and the peak memory of a process that does nothing
 * else. Processor time rather than the clock on the wall, since other work on the machine does not count into it.
 *
 *   npm run bench -- bench/audit-log.ts [--events 2000000] [--answers 1000000] [--used 8] [--repeat 3] [--csv]
 *
 * The log is made from a seed: events in time order with 0 to 2 dependencies among the 1,000 before them, answers at
 * random times that used random earlier events, one in a thousand of them a later one.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { auditLog } from '#asof/audit/external/auditLog.js';
import { logFormatOfFile } from '#asof/audit/external/formats/logFormats.js';
import { RandomSource } from '#asof/random/RandomSource.js';
import { formatInstant } from '#asof/time/formatInstant.js';
import { median } from './support/measure.js';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '2000000' },
    answers: { type: 'string', default: '1000000' },
    used: { type: 'string', default: '8' },
    repeat: { type: 'string', default: '3' },
    csv: { type: 'boolean', default: false },
    measure: { type: 'string' },
  },
});
const start = 1_600_000_000_000;
const step = 1000;

if (values.measure !== undefined) await measure(values.measure);
else await run();

async function run(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'asof-bench-'));
  try {
    const [events, answers, used] = [Number(values.events), Number(values.answers), Number(values.used)];
    const ending = values.csv ? 'csv' : 'jsonl';
    await write(join(directory, `events.${ending}`), eventLines(events, values.csv));
    await write(join(directory, `answers.${ending}`), answerLines(events, answers, used, values.csv));
    const megabytes = (name: string) => Math.round(statSync(join(directory, `${name}.${ending}`)).size / 1e6);
    console.info(
      `${events} events (${megabytes('events')} MB), ${answers} answers of ${used} (${megabytes('answers')} MB)`,
    );
    const runs = Array.from({ length: Number(values.repeat) }, () => spawnMeasure(directory, ending));
    const seconds = median(runs.map((result) => result.seconds));
    console.info(
      `median of ${runs.length}: ${seconds.toFixed(1)} s of processor time, of which events ${median(runs.map((r) => r.eventSeconds)).toFixed(1)} s`,
    );
    console.info(`answers/s in their pass: ${Math.round(answers / median(runs.map((r) => r.answerSeconds)))}`);
    console.info(`peak resident memory: ${median(runs.map((result) => result.peakMegabytes))} MB`);
    console.info(`violations found: ${runs[0]!.violations}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

interface Measurement {
  seconds: number;
  eventSeconds: number;
  answerSeconds: number;
  peakMegabytes: number;
  violations: number;
}

function spawnMeasure(directory: string, ending: string): Measurement {
  const parameters = [...process.execArgv, fileURLToPath(import.meta.url), '--measure', join(directory, ending)];
  const child = spawnSync(process.execPath, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(child.stdout) as Measurement;
}

async function measure(path: string): Promise<void> {
  const [directory, ending] = [join(path, '..'), path.slice(path.lastIndexOf('/') + 1)];
  const file = (name: string) => {
    const full = join(directory, `${name}.${ending}`);
    return { path: full, format: logFormatOfFile(full) };
  };
  const processorSeconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  const began = processorSeconds();
  let answersBegan = 0;
  const audit = await auditLog({
    events: [file('events')],
    answers: [file('answers')],
    onProgress: (phase) => {
      if (phase === 'answers' && answersBegan === 0) answersBegan = processorSeconds();
    },
  });
  const ended = processorSeconds();
  const result: Measurement = {
    seconds: ended - began,
    eventSeconds: answersBegan - began,
    answerSeconds: ended - answersBegan,
    peakMegabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    violations: audit.totals.violation,
  };
  process.stdout.write(JSON.stringify(result));
}

async function write(path: string, lines: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(lines), createWriteStream(path));
}

function idOf(event: number): string {
  return `memory-${event.toString(16).padStart(8, '0')}`;
}

function* eventLines(count: number, csv: boolean): Generator<string> {
  const random = new RandomSource(1, 'bench/audit-log/events');
  let text = csv ? 'id,observedAt,dependsOn\n' : '';
  for (let event = 0; event < count; event++) {
    const dependsOn: string[] = [];
    for (let left = Math.min(event, random.below(3)); left > 0; left--) {
      dependsOn.push(idOf(event - 1 - random.below(Math.min(event, 1000))));
    }
    const observedAt = formatInstant(start + event * step);
    text += csv
      ? `${idOf(event)},${observedAt},${dependsOn.join(';')}\n`
      : `${JSON.stringify({ id: idOf(event), observedAt, dependsOn })}\n`;
    if (text.length > 1 << 20) {
      yield text;
      text = '';
    }
  }
  yield text;
}

function* answerLines(events: number, count: number, width: number, csv: boolean): Generator<string> {
  const random = new RandomSource(1, 'bench/audit-log/answers');
  let text = csv ? 'id,askedAt,used\n' : '';
  for (let answer = 0; answer < count; answer++) {
    const known = 1 + Math.floor(random.unit() * (events - 1));
    const used = Array.from({ length: width }, () => idOf(Math.floor(random.unit() * known)));
    if (random.below(1000) === 0) used[width - 1] = idOf(known);
    const askedAt = formatInstant(start + known * step);
    text += csv
      ? `answer-${answer},${askedAt},${used.join(';')}\n`
      : `${JSON.stringify({ id: `answer-${answer}`, askedAt, used })}\n`;
    if (text.length > 1 << 20) {
      yield text;
      text = '';
    }
  }
  yield text;
}
