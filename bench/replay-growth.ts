/**
 * How the time of a row grows with the number of requests: the replay kernel on 1,000 to 100,000 requests, resampled from a
 * data set. A drawn request keeps the base list and the product of the one it was drawn from; its vector is disturbed (a
 * term in four is dropped, or noise is added to an embedding), so that neighbours are close but not copies. One random
 * stream, 400 anchors, nine conditions, trace memory, one thread.
 *
 *     npm run bench -- bench/replay-growth.ts [--data ../shared/data/tatqa] [--requests requests.page.jsonl] [--sizes 1000,10000,100000] [--rounds 3] [--json]
 */
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadDataset } from '#asof/corpus/dataset.js';
import { productOf } from '#asof/corpus/products.js';
import { noDependencies } from '#asof/corpus/requestDependencies.js';
import { conditionsFor } from '#asof/memory/conditions.js';
import { buildEventLog } from '#asof/memory/eventLog.js';
import { RandomSource } from '#asof/random/RandomSource.js';
import { openEmbedder } from '#asof/replay/domain/openEmbedder.js';
import { prepareDomain } from '#asof/replay/domain/prepareDomain.js';
import { checkExperiment } from '#asof/replay/experiment/readExperiment.js';
import { planAnchors } from '#asof/replay/plan/planAnchors.js';
import { type KernelSetup, ReplayKernel } from '#asof/replay/ReplayKernel.js';
import { newRowBatch } from '#asof/replay/rows/rowBatch.js';
import { rowMetricNames } from '#asof/replay/rows/rowMetrics.js';
import { budgetsOf, kernelSetup } from '#asof/replay/runReplay.js';
import { randomStream } from '#asof/replay/streams/random.js';
import type { RankedBlock } from '#asof/retrieval/ranking.js';
import type { TextVectors } from '#asof/retrieval/vectors.js';
import { timed } from './support/measure.js';

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/tatqa' },
    requests: { type: 'string', default: 'requests.page.jsonl' },
    sizes: { type: 'string', default: '1000,10000,100000' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const spec = {
  name: basename(flags.data),
  path: flags.data,
  format: 'asof',
  requests: [join(flags.data, flags.requests)],
};
const dataset = await loadDataset({ ...spec, format: 'asof' });
const results: { similarity: string; requests: number; microseconds: number; mebibytes: number }[] = [];
for (const similarity of ['lexical', 'embedding']) {
  const experiment = checkExperiment({ name: 'bench', datasets: [spec], similarity }, 'bench');
  const embedder = similarity === 'embedding' ? await openEmbedder(experiment.embedder) : undefined;
  const domain = await prepareDomain(spec.name, dataset, experiment, { embedder });
  await embedder?.close();
  const setup = kernelSetup(domain, experiment);
  const budgets = budgetsOf(experiment);
  const conditionNames = conditionsFor(experiment.horizons).map(({ name }) => name);
  const metricNames = rowMetricNames(experiment.cutoffs, domain.assets.typeNames);
  for (const size of flags.sizes.split(',').map(Number)) {
    const grown = growTo(size, setup);
    const clocks = { observedAt: new Float64Array(size), feedbackAt: new Float64Array(size) };
    const requests = { ...clocks, dependsOn: noDependencies(size) };
    const stream = randomStream(size, 1);
    const { clockKind, order: requestAt } = stream;
    const log = buildEventLog({ clockKind, requestAt, requests, traceDepth: budgets.traceDepth });
    const { anchors } = planAnchors(stream.kind, log, experiment, grown.products, grown.visibleRows);
    const rows = anchors.length * conditionNames.length;
    const key = {
      domain: spec.name,
      stream: 'random',
      streamKind: stream.kind,
      seed: 1,
      retriever: 'bm25',
      mechanism: 'trace',
    };
    const hashes = { corpus: '', types: '', requests: '', index: '', stream: '', eventLog: '', model: '' };
    const unread = { eventLog: { size: 0, root: '' }, states: [] };
    const shape = { key, hashes, ...unread, budgets, mechanismUsesGold: false, size: rows, conditionNames };
    const batch = newRowBatch(shape, metricNames);
    const kernel = new ReplayKernel(grown);
    let fastest = Number.POSITIVE_INFINITY;
    for (let round = 0; round <= Number(flags.rounds); round++) {
      const { spent } = await timed(async () =>
        kernel.replay({ log, anchors, batches: [batch] }, 0, round === 0 ? 40 : anchors.length),
      );
      // The first, short round warms up.
      if (round > 0) fastest = Math.min(fastest, (spent.cpuMilliseconds * 1000) / rows);
    }
    const mebibytes = Math.round(process.memoryUsage().rss / 2 ** 20);
    results.push({ similarity, requests: size, microseconds: fastest, mebibytes });
    if (!flags.json) {
      console.log(
        `${similarity.padEnd(9)} ${String(size).padStart(7)} requests: ${fastest.toFixed(1)} µs of processor a row, process at ${mebibytes} MiB`,
      );
    }
  }
}
if (flags.json) console.log(JSON.stringify({ node: process.version, data: spec.name, results }, null, 2));

function growTo(size: number, setup: KernelSetup): KernelSetup {
  const random = new RandomSource(1, 'replay growth');
  const drawn = Uint32Array.from({ length: size }, () => random.below(dataset.requests.size));
  const base = setup.bases[0]!;
  const grown: RankedBlock = {
    depth: base.depth,
    lengths: drawn.map((request) => base.lengths[request]!),
    rows: new Uint32Array(size * base.depth),
    scores: new Float64Array(size * base.depth),
  };
  const offsets = new Uint32Array(size + 1);
  const productRows: number[] = [];
  for (const [request, from] of drawn.entries()) {
    const [start, end] = [from * base.depth, (from + 1) * base.depth];
    grown.rows.set(base.rows.subarray(start, end), request * base.depth);
    grown.scores.set(base.scores.subarray(start, end), request * base.depth);
    productRows.push(...productOf(setup.products, from));
    offsets[request + 1] = productRows.length;
  }
  return {
    ...setup,
    similarity: { ...setup.similarity, vectors: disturbed(setup.similarity.vectors, drawn, random) },
    products: { offsets, rows: Uint32Array.from(productRows) },
    visibleRows: drawn.map((request) => setup.visibleRows[request]!),
    bases: [grown],
  };
}

function disturbed(vectors: TextVectors, drawn: Uint32Array, random: RandomSource): TextVectors {
  if (vectors.kind === 'dense') {
    const { dimension, values } = vectors;
    const noise = 0.02;
    const grown = new Float32Array(drawn.length * dimension);
    for (const [request, from] of drawn.entries()) {
      for (let i = 0; i < dimension; i++) {
        grown[request * dimension + i] = values[from * dimension + i]! + noise * (2 * random.unit() - 1);
      }
    }
    return { kind: 'dense', dimension, values: grown };
  }
  const offsets = new Uint32Array(drawn.length + 1);
  const terms: number[] = [];
  const weights: number[] = [];
  for (const [request, from] of drawn.entries()) {
    for (let at = vectors.offsets[from]!; at < vectors.offsets[from + 1]!; at++) {
      if (random.below(4) === 0) continue;
      terms.push(vectors.terms[at]!);
      weights.push(vectors.weights[at]!);
    }
    offsets[request + 1] = terms.length;
  }
  return { kind: 'sparse', offsets, terms: Uint32Array.from(terms), weights: Float64Array.from(weights) };
}
