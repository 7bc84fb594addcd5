/**
 * k-means and mini-batch k-means beside scikit-learn: the same points, number of clusters and restarts.
 *
 *     npm run bench -- bench/kmeans.ts [--json] [--rounds 7] [--threads 1]
 *
 * Points: 10,000 vectors scattered around 300 topics, and, where the folder with the data is present, the questions of
 * TAT-QA embedded with MiniLM. Each round uses another seed, on both sides; times and inertias are medians over rounds.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kMeans } from '#asof/clustering/kMeans.js';
import { miniBatchKMeans } from '#asof/clustering/miniBatchKMeans.js';
import type { Points } from '#asof/clustering/types.js';
import { CachedEmbedder } from '#asof/embedding/cache/CachedEmbedder.js';
import { openMinilm } from '#asof/embedding/minilm/openMinilm.js';
import { MatrixProduct } from '#asof/inference/MatrixProduct.js';
import { PythonPeer, preparePython } from './peers/pythonPeer.js';
import { formatSummary, median, type PeerSpent, Rounds, spentByPeer, timed } from './support/measure.js';
import { topicalVectors } from './support/vectors.js';

const questionsFile = new URL('../../shared/data/tatqa/requests.jsonl', import.meta.url);
const cacheFolder = new URL('../.cache/bench-embeddings', import.meta.url).pathname;

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    threads: { type: 'string', default: '1' },
  },
});
const rounds = Number(flags.rounds);
const threads = Number(flags.threads);

const python = preparePython('requirements-vectors.txt');
const peer = python === null ? null : new PythonPeer(python, 'sklearn_kmeans.py', threads);
const versions = await peer?.ask({});
const product = await MatrixProduct.open({ threads });
const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
const results: unknown[] = [];
if (!flags.json)
  console.log(`Node ${process.version}, ${threads} thread(s), ${rounds} rounds, ${JSON.stringify(versions)}`);
try {
  for (const { name, points } of await collections()) {
    const path = join(folder, `${name}.f32`);
    writeFileSync(path, points.matrix);
    const root = Math.round(Math.sqrt(points.count));
    await compare('kMeans', 8, 10, name, points, path);
    await compare('kMeans', root, 3, name, points, path);
    await compare('miniBatchKMeans', root, 3, name, points, path);
  }
} finally {
  peer?.close();
  await product.close();
  rmSync(folder, { recursive: true, force: true });
}
if (flags.json) console.log(JSON.stringify({ node: process.version, versions, threads, rounds, results }, null, 2));

async function compare(
  algorithm: 'kMeans' | 'miniBatchKMeans',
  k: number,
  restarts: number,
  name: string,
  points: Points,
  path: string,
): Promise<void> {
  const cluster = algorithm === 'kMeans' ? kMeans : miniBatchKMeans;
  const times = new Rounds();
  const inertias: { asof: number[]; sklearn: number[] } = { asof: [], sklearn: [] };
  const iterations: { asof: number[]; sklearn: number[] } = { asof: [], sklearn: [] };
  for (let seed = 0; seed < rounds; seed++) {
    const { spent, result } = await timed(() => cluster(points, { k, seed, restarts, product }));
    times.add('asof', spent);
    inertias.asof.push(result.inertia);
    iterations.asof.push(result.iterations);
    if (peer === null) continue;
    const question = { points: path, dimension: points.dimension, algorithm, k, restarts, seed };
    const answer = await peer.ask<PeerSpent & { inertia: number; iterations: number }>(question);
    times.add('scikit-learn', spentByPeer(answer));
    inertias.sklearn.push(answer.inertia);
    iterations.sklearn.push(answer.iterations);
  }
  const summary = times.summary('asof');
  const inertiaRatio = peer === null ? null : median(inertias.asof) / median(inertias.sklearn);
  results.push({
    collection: name,
    algorithm,
    k,
    restarts,
    count: points.count,
    inertiaRatio,
    inertias,
    iterations,
    summary,
  });
  if (flags.json) return;
  console.log(`${algorithm}, ${name} (${points.count} x ${points.dimension}), k ${k}, ${restarts} restarts`);
  for (const row of summary) console.log(`  ${formatSummary(row)}`);
  if (inertiaRatio !== null) {
    const steps = `iterations ${median(iterations.asof)} and ${median(iterations.sklearn)}`;
    console.log(
      `  inertia ${median(inertias.asof).toFixed(2)}, ${inertiaRatio.toFixed(4)} of scikit-learn's; ${steps}`,
    );
  }
}

async function collections(): Promise<{ name: string; points: Points }[]> {
  const made = { name: 'topics', points: { matrix: topicalVectors(10_000, 384, 3), count: 10_000, dimension: 384 } };
  if (!existsSync(questionsFile)) return [made];
  const lines = readFileSync(questionsFile, 'utf8').trim().split('\n');
  const texts = lines.map((line) => (JSON.parse(line) as { text: string }).text);
  const embedder = new CachedEmbedder(await openMinilm(), cacheFolder);
  const { vectors } = await embedder.embed(texts);
  await embedder.close();
  return [{ name: 'tatqa-questions', points: { matrix: vectors, count: texts.length, dimension: 384 } }, made];
}
