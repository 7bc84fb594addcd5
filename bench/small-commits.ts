/**
 * What a commit of 200 records costs in a workspace that holds many, and the first search after it, in processor time: both
 * should follow the records that are new, not those that were there.
 *
 *   npm run bench -- bench/small-commits.ts [--documents 20000] [--commits 10] [--vectors]
 *
 * Texts are 40 words of a vocabulary of 5,000, frequent ones more often. Vectors are sums of random directions of words, so
 * that no model's speed is measured.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { RandomSource } from '#asof/random/RandomSource.js';
import { openWorkspace } from '#asof/search/SearchableWorkspace.js';
import { initWorkspace } from '#asof/store/workspace/initWorkspace.js';
import { median, timed } from './support/measure.js';
import { WordDirections } from './support/WordDirections.js';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '20000' },
    commits: { type: 'string', default: '10' },
    vectors: { type: 'boolean', default: false },
  },
});
const recordsInCommit = 200;
const random = new RandomSource(1, 'small commits');
let written = 0;

function line(): string {
  const words = Array.from({ length: 40 }, () => `w${Math.floor(5000 * random.unit() ** 3)}`);
  const at = 1000 + written;
  return JSON.stringify({ id: `d${written++}`, text: words.join(' '), availableAt: at, eventAt: at });
}

const processorTime = async (work: () => Promise<unknown>) => (await timed(work)).spent.cpuMilliseconds;

const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
try {
  const home = join(folder, 'workspace');
  await initWorkspace(home);
  const workspace = await openWorkspace(home, { embedder: new WordDirections() });
  const fields = { availableAt: 'availableAt', eventAt: 'eventAt' };
  const ingest = (count: number) => {
    const stdin = Readable.from([Array.from({ length: count }, line).join('\n')]);
    const mapping = { fields, instants: { epoch: 'ms' as const } };
    return workspace.ingest(['-'], { stdin, now: 1000 + written, mapping, embed: values.vectors || undefined });
  };
  const search = () => workspace.search('w1 w22 w333', { asOf: 1000 + written });
  await ingest(Number(values.documents));
  const first = await processorTime(search);
  const commits: number[] = [];
  const searches: number[] = [];
  for (let i = 0; i < Number(values.commits); i++) {
    commits.push(await processorTime(() => ingest(recordsInCommit)));
    searches.push(await processorTime(search));
  }
  console.info(
    `${values.documents} documents${values.vectors ? ' with vectors' : ''}: ${recordsInCommit} more ${median(commits).toFixed(0)} ms, ` +
      `the search after it ${median(searches).toFixed(0)} ms, the first of a process ${first.toFixed(0)} ms (processor, medians)`,
  );
  await workspace.close();
} finally {
  rmSync(folder, { recursive: true });
}
