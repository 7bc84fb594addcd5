/**
 * The paired replay beside the same design in NumPy: one data set, BM25 base lists, trace memory, nine conditions, 400 anchors
 * a stream; one thread each. Both start from the same base lists, vectors and streams, in memory; both select, rank, measure
 * and hash every row; writing files is left out on both sides.
 *
 *     npm run bench -- bench/replay.ts [--data ../shared/data/tatqa] [--requests requests.page.jsonl] [--rounds 5] [--json]
 *
 * asof and the peer take turns stream by stream; the figures that count are ratios of medians.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { littleEndianBytes } from '#asof/commitment/typedArrayBytes.js';
import { loadDataset } from '#asof/corpus/dataset.js';
import { conditionsFor } from '#asof/memory/conditions.js';
import { prepareDomain } from '#asof/replay/domain/prepareDomain.js';
import { checkExperiment } from '#asof/replay/experiment/readExperiment.js';
import { planStream } from '#asof/replay/plan/planStream.js';
import { ReplayKernel } from '#asof/replay/ReplayKernel.js';
import { newRowBatch } from '#asof/replay/rows/rowBatch.js';
import { rowMetricNames } from '#asof/replay/rows/rowMetrics.js';
import { budgetsOf, kernelSetup } from '#asof/replay/runReplay.js';
import type { PlannedStream } from '#asof/replay/runSink.js';
import { PythonPeer, preparePython } from './peers/pythonPeer.js';
import { type PeerSpent, Rounds, spentByPeer, timed } from './support/measure.js';

interface PeerAnswer extends PeerSpent {
  rows: number;
  recall: Record<string, number>;
  positions: number;
}

const { values: flags } = parseArgs({
  options: {
    data: { type: 'string', default: '../shared/data/tatqa' },
    requests: { type: 'string', default: 'requests.page.jsonl' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = Number(flags.rounds);
const spec = {
  name: basename(flags.data),
  path: flags.data,
  format: 'asof',
  requests: [join(flags.data, flags.requests)],
};
const seeds = Array.from({ length: rounds + 1 }, (_, seed) => seed + 1);
const experiment = checkExperiment({ name: 'bench', datasets: [spec], seeds }, 'bench');
const dataset = await loadDataset({ ...spec, format: 'asof' });
const domain = await prepareDomain(spec.name, dataset, experiment);
const setup = kernelSetup(domain, experiment);
const kernel = new ReplayKernel(setup);
const conditionNames = conditionsFor(experiment.horizons).map(({ name }) => name);
const metricNames = rowMetricNames(experiment.cutoffs, domain.assets.typeNames);
const streams = await Promise.all(seeds.map((seed) => planStream({ kind: 'random' }, seed, domain, experiment)));

const folder = mkdtempSync(join(tmpdir(), 'asof-bench-replay-'));
const write = (name: string, array: Parameters<typeof littleEndianBytes>[0]) =>
  writeFileSync(join(folder, name), littleEndianBytes(array));
const { vectors } = domain.similarity;
if (vectors.kind !== 'sparse') throw new Error('the benchmark compares by TF-IDF');
const base = domain.retrievers[0]!.base;
write('base_rows', base.rows);
write('base_lengths', base.lengths);
write('types', domain.assets.types);
write('id_order', dataset.corpus.idOrder);
write('product_offsets', dataset.products.offsets);
write('product_rows', dataset.products.rows);
write('weights', vectors.weights);
write('terms', vectors.terms);
write('offsets', vectors.offsets);
for (const { stream, plan } of streams) {
  write(`order_${stream.seed}`, stream.order);
  write(
    `anchors_${stream.seed}`,
    Uint32Array.from(plan.anchors, ({ position }) => position),
  );
}

const python = preparePython('requirements-evaluation.txt');
const peer = python === null ? null : new PythonPeer(python, 'numpy_replay.py');
const { traceDepth, capacity, horizons, cutoffs } = experiment;
const types = domain.assets.typeNames.length;
const sizes = { requests: dataset.requests.size, assets: dataset.corpus.size, depth: base.depth, types };
const versions = await peer?.ask<{ numpy: string }>({ folder, ...sizes, traceDepth, capacity, horizons, cutoffs });

const spent = new Rounds();
let rowsEach = 0;
let largestDifference = 0;
let samePositions = true;
for (const [round, stream] of streams.entries()) {
  const ours = await timed(async () => replayOnce(stream));
  rowsEach = ours.result.rows;
  const theirs = await peer?.ask<PeerAnswer>({ stream: stream.stream.seed });
  // The first stream warms both up.
  if (round > 0) spent.add('asof', ours.spent);
  if (theirs === undefined) continue;
  if (round > 0) spent.add('numpy', spentByPeer(theirs));
  samePositions &&= theirs.positions === ours.result.positions;
  for (const [name, recall] of Object.entries(theirs.recall)) {
    largestDifference = Math.max(largestDifference, Math.abs(recall - ours.result.recall[name]!));
  }
}
peer?.close();
rmSync(folder, { recursive: true });

const summary = spent.summary('asof');
const [asof, numpy] = summary;
if (flags.json) {
  console.log(
    JSON.stringify(
      { node: process.version, ...versions, ...sizes, rowsEach, rounds, summary, largestDifference, samePositions },
      null,
      2,
    ),
  );
} else {
  console.log(
    `${spec.name}: ${sizes.requests} requests, ${sizes.assets} assets; ${rowsEach} rows a stream, medians of ${rounds} streams`,
  );
  console.log(
    `asof   ${(rowsEach / (asof!.milliseconds / 1000)).toFixed(0)} rows/s, ${((asof!.cpuMilliseconds * 1000) / rowsEach).toFixed(1)} µs of processor a row`,
  );
  if (numpy !== undefined) {
    console.log(
      `numpy ${versions?.numpy}  ${(rowsEach / (numpy.milliseconds / 1000)).toFixed(0)} rows/s; asof ${numpy.ratio.toFixed(1)} times as fast, ${numpy.cpuRatio.toFixed(1)} by processor time`,
    );
    console.log(
      `same selected positions: ${samePositions}; mean recalls differ by at most ${largestDifference.toExponential(1)}`,
    );
  }
}

function replayOnce({ log, plan, stream }: PlannedStream): {
  rows: number;
  recall: Record<string, number>;
  positions: number;
} {
  const size = plan.anchors.length * conditionNames.length;
  const key = {
    domain: spec.name,
    stream: 'random',
    streamKind: stream.kind,
    seed: stream.seed,
    retriever: 'bm25',
    mechanism: 'trace',
  };
  const hashes = { corpus: '', types: '', requests: '', index: '', stream: '', eventLog: '', model: '' };
  const shape = {
    key,
    hashes,
    eventLog: { size: 0, root: '' },
    states: [],
    budgets: budgetsOf(experiment),
    mechanismUsesGold: false,
    size,
    conditionNames,
  };
  const batch = newRowBatch(shape, metricNames);
  kernel.replay({ log, anchors: plan.anchors, batches: [batch] }, 0, plan.anchors.length);
  const headline = batch.metrics.get(`recall_${experiment.cutoffs.at(-1)}`)!;
  const recall = Object.fromEntries(conditionNames.map((name) => [name, 0]));
  let positions = 0;
  for (let row = 0; row < size; row++) {
    recall[conditionNames[batch.condition[row]!]!]! += headline[row]! / plan.anchors.length;
    for (let k = 0; k < batch.slotsFilled[row]!; k++) positions += batch.selectedPositions[row * capacity + k]!;
  }
  return { rows: size, recall, positions };
}
