/**
 * Ingest of documents the size of CVE records: documents a second, and the peak memory of a process that does nothing
 * else. Also what comes after it: the same file again (nothing changes), opening, columns, and one asset as of a time.
 *
 *   npm run bench -- bench/ingest.ts [--documents 100000] [--repeat 3]
 *
 * The documents are drawn with replacement, from a seed, among the CVEs of 2018 and 2019 in ../shared/data/nvd, each with
 * an id of its own.
 */
import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { RandomSource } from '#asof/random/RandomSource.js';
import { initWorkspace } from '#asof/store/workspace/initWorkspace.js';
import { openWorkspace } from '#asof/store/workspace/openWorkspace.js';
import { median, timed } from './support/measure.js';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    repeat: { type: 'string', default: '3' },
    measure: { type: 'string' },
  },
});
const now = Date.UTC(2026, 0, 1);

/** Milliseconds by the clock, of the processor for the ingest, and megabytes. */
type Measured = Record<
  'ingest' | 'ingestCpu' | 'again' | 'open' | 'segments' | 'show' | 'stateAt' | 'peakMegabytes',
  number
>;

if (values.measure !== undefined) await measure(values.measure);
else await run(Number(values.documents), Number(values.repeat));

async function run(documents: number, repeat: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
  try {
    const file = join(folder, 'documents.jsonl');
    await pipeline(Readable.from(documentLines(documents)), createWriteStream(file));
    console.info(`${documents} documents, ${Math.round(statSync(file).size / 1e6)} MB`);
    const runs = Array.from({ length: repeat }, () => spawnMeasure(folder));
    const of = (name: keyof Measured) => median(runs.map((measured) => measured[name]));
    const rate = (milliseconds: number) => Math.round((documents * 1000) / milliseconds);
    console.info(`medians of ${repeat}`);
    console.info(
      `ingest: ${rate(of('ingest'))} documents/s by the clock, ${rate(of('ingestCpu'))} a second of processor`,
    );
    console.info(`again, nothing changed: ${rate(of('again'))} documents/s`);
    console.info(`peak resident memory of the first ingest: ${Math.round(of('peakMegabytes'))} MB`);
    for (const name of ['open', 'segments', 'stateAt', 'show'] as const) {
      console.info(`${name}: ${of(name).toFixed(0)} ms`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function* documentLines(documents: number): Generator<string> {
  const records = ['2018', '2019'].flatMap((year) => {
    const text = gunzipSync(readFileSync(`../shared/data/nvd/nvd-${year}.jsonl.gz`)).toString();
    return text.trim().split('\n');
  });
  const random = new RandomSource(1, 'documents');
  for (let i = 0; i < documents; i++) {
    const record = JSON.parse(records[random.below(records.length)]!) as object;
    yield `${JSON.stringify({ ...record, id: `CVE-0000-${i}` })}\n`;
  }
}

function spawnMeasure(folder: string): Measured {
  const words = ['--import', 'tsx', fileURLToPath(import.meta.url), '--measure', folder];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Measured;
}

async function measure(folder: string): Promise<void> {
  const workspace = join(folder, 'workspace');
  const files = [join(folder, 'documents.jsonl')];
  const mapping = { preset: 'nvd', fields: { availableAt: 'published' } };
  await initWorkspace(workspace);
  const writer = await openWorkspace(workspace);
  const { spent: ingest } = await timed(() => writer.ingest(files, { now, mapping }));
  const peakMegabytes = process.resourceUsage().maxRSS / 1000;
  const { spent: again } = await timed(() => writer.ingest(files, { now }));
  await writer.close();
  const { spent: open, result: reader } = await timed(() => openWorkspace(workspace, { readOnly: true }));
  const { spent: segments } = await timed(() => reader.segments());
  const t = Date.UTC(2019, 0, 1);
  const { spent: stateAt } = await timed(() => reader.stateAt(t));
  const { spent: show } = await timed(() => reader.show('CVE-0000-500', t));
  await reader.close();
  rmSync(workspace, { recursive: true });
  const measured: Measured = {
    ingest: ingest.milliseconds,
    ingestCpu: ingest.cpuMilliseconds,
    again: again.milliseconds,
    open: open.milliseconds,
    segments: segments.milliseconds,
    stateAt: stateAt.milliseconds,
    show: show.milliseconds,
    peakMegabytes,
  };
  console.log(JSON.stringify(measured));
}
