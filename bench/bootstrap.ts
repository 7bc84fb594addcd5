/**
 * The paired bootstrap beside scipy.stats.bootstrap: 1,200 clusters, 5,000 resamples, percentile interval, one thread.
 *
 *     npm run bench -- bench/bootstrap.ts [--json] [--rounds 9]
 *
 * The two take turns within one run, so that a busy machine slows both; the figure that counts is the ratio of medians.
 * asof starts from 2,000 observations and averages them by cluster; scipy is handed the cluster means. scipy runs with
 * each of several batch sizes first, and takes part with its fastest.
 */
import { parseArgs } from 'node:util';
import { clusterMeans } from '#asof/evaluation/bootstrap/clusterMeans.js';
import { type Estimate, pairedBootstrap } from '#asof/evaluation/bootstrap/pairedBootstrap.js';
import { RandomSource } from '#asof/random/RandomSource.js';
import { PythonPeer, preparePython } from './peers/pythonPeer.js';
import { median } from './support/measure.js';

const clusters = 1200;
const observations = 2000;
const columnCounts = [1, 24];
const batches = [25, 50, 100, 200, 500, 1000];

interface ScipyAnswer {
  seconds: number;
  intervals: [number, number][];
}

interface Comparison {
  columns: number;
  asofMilliseconds: number;
  scipyMilliseconds: number | null;
  scipyBatch: number | null;
  /** scipy with its default batch, all resamples at once, which holds 48 MB of indices and, a column, of values. */
  scipyDefaultMilliseconds: number | null;
  /** scipy's median over asof's. */
  ratio: number | null;
  /** scipy's fastest round over asof's: what is left when the machine is otherwise idle. */
  ratioOfFastest: number | null;
  /** Largest distance between the two's interval ends, in standard errors of such a distance. */
  largestDistance: number | null;
}

const { values: flags } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '9' } },
});
const rounds = Number(flags.rounds);

const random = new RandomSource(1, 'bench/bootstrap');
const sample = {
  clusterOf: Uint32Array.from({ length: observations }, (_, at) => at % clusters),
  clusters,
  columns: Array.from({ length: 24 }, () =>
    // Like recall differences: most are zero, the rest multiples of a twelfth.
    Float64Array.from({ length: observations }, () => (random.below(3) === 0 ? (random.below(9) - 3) / 12 : 0)),
  ),
};

const python = preparePython('requirements-evaluation.txt');
const peer = python === null ? null : new PythonPeer(python, 'scipy_bootstrap.py');
const versions = await peer?.ask<{ scipy: string; numpy: string }>({
  columns: clusterMeans(sample).map(({ means }) => [...means]),
});

const comparisons: Comparison[] = [];
for (const columns of columnCounts) comparisons.push(await compare(columns));
peer?.close();

if (flags.json) {
  console.log(JSON.stringify({ node: process.version, ...versions, clusters, rounds, comparisons }, null, 2));
} else {
  console.log(`Node ${process.version}, scipy ${versions?.scipy ?? 'absent'}, medians of ${rounds} rounds`);
  for (const row of comparisons) {
    console.log(`${row.columns} column(s): asof ${row.asofMilliseconds.toFixed(1)} ms`);
    if (row.ratio === null) continue;
    console.log(
      `  scipy ${row.scipyMilliseconds!.toFixed(1)} ms (batch ${row.scipyBatch}), ratio ${row.ratio.toFixed(1)}, ` +
        `of the fastest rounds ${row.ratioOfFastest!.toFixed(1)}; ` +
        `interval ends differ by at most ${row.largestDistance!.toFixed(1)} standard errors`,
    );
    if (row.scipyDefaultMilliseconds !== null) {
      console.log(`  scipy ${row.scipyDefaultMilliseconds.toFixed(1)} ms (default batch)`);
    }
  }
}

async function compare(columns: number): Promise<Comparison> {
  const own = { ...sample, columns: sample.columns.slice(0, columns) };
  const runAsof = (seed: number) => {
    const start = performance.now();
    const { estimates } = pairedBootstrap(own, { seed });
    return { milliseconds: performance.now() - start, estimates };
  };
  const runScipy = async (batch: number | null, seed: number) => peer!.ask<ScipyAnswer>({ columns, batch, seed });

  for (let warmUp = 0; warmUp < 3; warmUp++) runAsof(warmUp);
  const batch = peer === null ? null : await fastestBatch(runScipy);
  const asof: number[] = [];
  const scipy: number[] = [];
  const scipyDefault: number[] = [];
  let largestDistance = 0;
  for (let round = 0; round < rounds; round++) {
    const { milliseconds, estimates } = runAsof(round);
    asof.push(milliseconds);
    if (peer === null) continue;
    const answer = await runScipy(batch, round);
    scipy.push(answer.seconds * 1000);
    largestDistance = Math.max(largestDistance, distance(estimates, answer.intervals));
    // All resamples at once would take 2.5 GB for 24 columns.
    if (columns === 1) scipyDefault.push((await runScipy(null, round)).seconds * 1000);
  }
  return {
    columns,
    asofMilliseconds: median(asof),
    scipyMilliseconds: peer === null ? null : median(scipy),
    scipyBatch: batch,
    scipyDefaultMilliseconds: scipyDefault.length === 0 ? null : median(scipyDefault),
    ratio: peer === null ? null : median(scipy) / median(asof),
    ratioOfFastest: peer === null ? null : Math.min(...scipy) / Math.min(...asof),
    largestDistance: peer === null ? null : largestDistance,
  };
}

async function fastestBatch(run: (batch: number, seed: number) => Promise<ScipyAnswer>): Promise<number> {
  let fastest = { batch: 0, seconds: Number.POSITIVE_INFINITY };
  for (let round = 0; round < 3; round++) {
    for (const batch of batches) {
      const { seconds } = await run(batch, round);
      if (seconds < fastest.seconds) fastest = { batch, seconds };
    }
  }
  return fastest.batch;
}

/**
 * Largest distance of interval ends in standard errors. The 2.5th percentile of n normal values has the standard error
 * sqrt(p (1 - p) / n) / density(1.96), in standard deviations of the values: 0.0378 for 5,000; two such ends, times
 * the square root of 2.
 */
function distance(estimates: readonly Estimate[], intervals: readonly [number, number][]): number {
  let largest = 0;
  for (const [column, [low, high]] of intervals.entries()) {
    const { lower, upper } = estimates[column]!.interval!;
    const error = ((upper - lower) / (2 * 1.96)) * 0.0378 * Math.SQRT2;
    largest = Math.max(largest, Math.abs(lower - low) / error, Math.abs(upper - high) / error);
  }
  return largest;
}
