/**
 * Where the time of the full design goes: wall time by stage, and peak memory, of an experiment file from its inputs to the
 * audited run. Embeddings come out of the user's cache where they are there; run it twice when they are not.
 *
 *     npm run bench -- bench/full-design.ts [--experiment examples/full-design.yaml] [--mechanism trace] [--threads 2]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readExperiment } from '#asof/replay/experiment/readExperiment.js';
import { withPathsFrom } from '#asof/replay/experiment/withPathsFrom.js';
import { runExperiment } from '#asof/store/runs/runExperiment.js';

const { values: flags } = parseArgs({
  options: {
    experiment: { type: 'string', default: 'examples/full-design.yaml' },
    mechanism: { type: 'string', multiple: true, default: ['trace'] },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
});
const text = readFileSync(flags.experiment, 'utf8');
const experiment = withPathsFrom(
  dirname(flags.experiment),
  readExperiment(text, flags.experiment, { mechanisms: flags.mechanism.map((kind) => ({ kind })) }),
);
const folder = mkdtempSync(join(tmpdir(), 'asof-bench-'));
const spent = new Map<string, number>();
let stage = 'reading';
let since = performance.now();
function enter(next: string): void {
  const at = performance.now();
  spent.set(stage, (spent.get(stage) ?? 0) + at - since);
  since = at;
  stage = next;
}
try {
  const run = await runExperiment({
    experiment,
    folder: join(folder, 'run'),
    version: 'bench',
    recorded: () => ({}),
    threads: Number(flags.threads),
    onStage: (label) => enter(/^(reading|retrieving)/.exec(label)?.[0] ?? label),
    onProgress: ({ unit }) => enter(unit === 'rows' ? 'replaying' : 'retrieving'),
  });
  enter('done');
  const total = [...spent.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
  for (const [name, milliseconds] of spent) {
    const share = ((milliseconds / total) * 100).toFixed(0);
    console.log(`${name.padEnd(20)} ${(milliseconds / 1000).toFixed(1).padStart(7)} s ${share.padStart(4)}%`);
  }
  const { user, system } = process.cpuUsage();
  const peak = Math.round(process.resourceUsage().maxRSS / 1000);
  console.log(
    `together ${(total / 1000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(0)} s of processor, peak ${peak} MB; contract ${run.contract?.holds ? 'holds' : 'fails'}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
