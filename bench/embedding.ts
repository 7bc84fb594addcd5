/**
 * Embedding with MiniLM beside transformers.js on the same model file: lines and paragraphs of Electron's release notes.
 *
 *     npm run bench -- bench/embedding.ts [--json] [--rounds 5] [--threads 1]
 *
 * transformers.js takes texts sorted by length, and takes part with the fastest of its batch sizes. The contestants take
 * turns within one run; vectors are compared.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countEmbeddings } from '#asof/embedding/Embedder.js';
import type { MinilmPrecision } from '#asof/embedding/minilm/minilmGraph.js';
import { openMinilm } from '#asof/embedding/minilm/openMinilm.js';
import { prepareNodePackage } from './peers/nodePeer.js';
import { PythonPeer as JsonLinePeer } from './peers/pythonPeer.js';
import { formatSummary, type PeerSpent, Rounds, spentByPeer, timed } from './support/measure.js';

const cacheFolder = new URL('../.cache/bench-models', import.meta.url).pathname;
const batchSizes = [1, 8, 16, 32];

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    threads: { type: 'string', default: '1' },
  },
});
const rounds = Number(flags.rounds);
const threads = Number(flags.threads);

type Answer = PeerSpent & { vectors: number[][] };

const packageFolder = prepareNodePackage('@huggingface/transformers', '4.3.2');
const { lines, paragraphs } = releaseNotes();
const results: unknown[] = [];
for (const [precision, dtype] of [
  ['float32', 'fp32'],
  ['int8', 'int8'],
] as const) {
  await compare(precision, dtype, 'lines', lines);
  await compare(precision, dtype, 'paragraphs', paragraphs);
}
if (flags.json) console.log(JSON.stringify({ node: process.version, threads, rounds, results }, null, 2));

async function compare(precision: MinilmPrecision, dtype: string, name: string, texts: string[]): Promise<void> {
  const embedder = await openMinilm({ precision, threads, cacheFolder });
  const peer = packageFolder === null ? null : new JsonLinePeer(process.execPath, 'transformers_embed.mjs', threads);
  try {
    const models = join(cacheFolder, 'models');
    const versions = await peer?.ask({ package: packageFolder, models, model: 'all-MiniLM-L6-v2', dtype, threads });
    const own = await embedder.embed(texts);
    if (countEmbeddings(own).truncated > 0) throw new Error('a text is too long: the two cut at different lengths');
    const ask = (batch: number) => peer!.ask<Answer>({ texts, batch });
    const batch = peer === null ? 0 : await fastestBatch(ask);
    const times = new Rounds();
    let largestDifference = 0;
    for (let round = 0; round < rounds; round++) {
      times.add('asof', (await timed(() => embedder.embed(texts))).spent);
      if (peer === null) continue;
      const answer = await ask(batch);
      times.add('transformers.js', spentByPeer(answer));
      for (const [i, value] of answer.vectors.flat().entries()) {
        largestDifference = Math.max(largestDifference, Math.abs(value - own.vectors[i]!));
      }
    }
    const summary = times.summary('asof');
    results.push({ precision, name, texts: texts.length, versions, batch, largestDifference, summary });
    if (flags.json) return;
    console.log(`${precision}, ${texts.length} ${name}, ${threads} thread(s), peer's batch ${batch}`);
    for (const row of summary) {
      console.log(
        `  ${formatSummary(row)}; ${((texts.length / row.cpuMilliseconds) * 1000).toFixed(0)} texts a processor second`,
      );
    }
    if (peer !== null) console.log(`  largest difference of a component ${largestDifference.toExponential(1)}`);
  } finally {
    peer?.close();
    await embedder.close();
  }
}

async function fastestBatch(ask: (batch: number) => Promise<Answer>): Promise<number> {
  let fastest = { batch: 0, cpuSeconds: Number.POSITIVE_INFINITY };
  for (const batch of batchSizes) {
    const { cpuSeconds } = await ask(batch);
    if (cpuSeconds < fastest.cpuSeconds) fastest = { batch, cpuSeconds };
  }
  return fastest.batch;
}

/** Lines of 4 to 30 words, all different, and paragraphs of three such lines: both within the model's 256 tokens. */
function releaseNotes(): { lines: string[]; paragraphs: string[] } {
  const releases = createRequire(import.meta.url)('electron-releases') as { body: string | null }[];
  const all = releases.flatMap(({ body }) => (body ?? '').split('\n'));
  const plain = all.map((line) => line.replace(/\[.*?\]\(.*?\)|https?:\S+|[*#`]/g, '').trim());
  const lines = [...new Set(plain)].filter((line) => /^(\S+\s+){3,29}\S+$/.test(line));
  const paragraphs = Array.from({ length: 40 }, (_, i) => lines.slice(300 + i * 3, 303 + i * 3).join('. '));
  return { lines: lines.slice(0, 200), paragraphs };
}
