/**
 * As-of search as a workspace grows: time of ingest with its indexes, memory, and p50 and p99 of a search. Documents are drawn
 * with replacement among the CVEs of ../shared/data/nvd, a word in four left out, spread evenly over twelve years; queries
 * and their wordings are those of freshness-queries.jsonl, each as of a random time within those years.
 *
 *   npm run bench -- bench/search-growth.ts [--documents 1000000] [--queries 200] [--vectors]
 *
 * With --vectors also semantic search, exact and approximate, and how much of the exact ten best the approximate one finds.
 */
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { RandomSource } from '#asof/random/RandomSource.js';
import { openWorkspace } from '#asof/search/SearchableWorkspace.js';
import type { SearchOptions } from '#asof/search/settings.js';
import { initWorkspace } from '#asof/store/workspace/initWorkspace.js';
import { timed } from './support/measure.js';
import { WordDirections } from './support/WordDirections.js';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    queries: { type: 'string', default: '200' },
    vectors: { type: 'boolean', default: false },
  },
});
const count = Number(values.documents);
const first = Date.UTC(2018, 0, 1);
const now = Date.UTC(2030, 0, 1);
const data = '../shared/data/nvd';
const random = new RandomSource(1, 'search growth');

function* documentLines(): Generator<string> {
  const records = ['nvd-2018.jsonl.gz', 'nvd-2019.jsonl.gz'].flatMap((file) =>
    gunzipSync(readFileSync(join(data, file)))
      .toString()
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { description: string }).description.split(' ')),
  );
  for (let i = 0; i < count; i++) {
    const words = records[random.below(records.length)]!.filter(() => random.below(4) > 0);
    const published = Math.floor(first + ((now - first) * i) / count);
    yield `${JSON.stringify({ id: `d${i}`, text: words.join(' '), published })}\n`;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
try {
  const file = join(folder, 'documents.jsonl');
  await pipeline(Readable.from(documentLines()), createWriteStream(file));
  const home = join(folder, 'workspace');
  await initWorkspace(home);
  const workspace = await openWorkspace(home, { embedder: new WordDirections() });
  const mapping = { fields: { eventAt: 'published', availableAt: 'published' }, instants: { epoch: 'ms' as const } };
  const { spent } = await timed(() => workspace.ingest([file], { now, mapping, embed: values.vectors }));
  console.log(
    `${count} documents: ingest and indexes ${(spent.milliseconds / 1000).toFixed(0)} s, peak ${peak()} MB${values.vectors ? ', vectors included' : ''}`,
  );
  const queries = readFileSync(join(data, 'freshness-queries.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(0, Number(values.queries))
    .map((line) => ({
      text: (JSON.parse(line) as { text: string }).text,
      asOf: first + random.below(12 * 365) * 86_400_000,
    }));
  const ways: [string, SearchOptions][] = [
    ['lexical', { mode: 'lexical' }],
    ['fresh', { mode: 'fresh' }],
    ...(values.vectors
      ? ([
          ['semantic, exact', { mode: 'semantic' }],
          ['semantic, approximate', { mode: 'semantic', approximate: true }],
        ] as [string, SearchOptions][])
      : []),
  ];
  const found = new Map<string, string[][]>();
  for (const [name, options] of ways) {
    const search = (i: number) =>
      workspace.search(queries[i]!.text, { ...options, limit: 10, asOf: queries[i]!.asOf, interpretTime: false });
    const start = await timed(() => search(0));
    const times: number[] = [];
    const processor: number[] = [];
    const lists: string[][] = [];
    for (let i = 0; i < queries.length; i++) {
      const { spent: each, result } = await timed(() => search(i));
      times.push(each.milliseconds);
      processor.push(each.cpuMilliseconds);
      lists.push(result.hits.map(({ id }) => id));
    }
    found.set(name, lists);
    times.sort((a, b) => a - b);
    processor.sort((a, b) => a - b);
    const at = (share: number, of = times) => of[Math.min(of.length - 1, Math.floor(share * of.length))]!.toFixed(1);
    console.log(
      `${name}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; of the processor ${at(0.5, processor)} and ${at(0.99, processor)} ms; the first ${(start.spent.milliseconds / 1000).toFixed(1)} s; process peak ${peak()} MB`,
    );
  }
  const exact = found.get('semantic, exact');
  const approximate = found.get('semantic, approximate');
  if (exact !== undefined && approximate !== undefined) {
    const shares = exact.map((list, i) => list.filter((id) => approximate[i]!.includes(id)).length / list.length);
    console.log(
      `recall@10 of the approximate search: ${(shares.reduce((a, b) => a + b, 0) / shares.length).toFixed(3)}`,
    );
  }
  await workspace.close();
} finally {
  rmSync(folder, { recursive: true });
}

function peak(): number {
  return Math.round(process.resourceUsage().maxRSS / 1000);
}
