import { cpus, totalmem } from 'node:os';
import { basename, dirname } from 'node:path';
import { Command, Option } from 'commander';
import { ContractViolationError } from '../errors/ContractViolationError.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../errors/MissingResourceError.js';
import { readIfPresent } from '../files/atomicFile.js';
import { type Experiment, mechanismSchemas, retrieverSchemas, streamSchemas } from '../replay/experiment/experiment.js';
import { checkExperiment, locationInExperiment, readExperiment } from '../replay/experiment/readExperiment.js';
import { withPathsFrom } from '../replay/experiment/withPathsFrom.js';
import { loadMechanisms } from '../replay/mechanisms/mechanismModule.js';
import { type FinishedRun, runExperiment } from '../store/runs/runExperiment.js';
import { formatInstant } from '../time/formatInstant.js';
import type { CliContext } from './context.js';
import { addDatasetOptions, type DatasetOptionValues } from './options/datasetOptions.js';
import { numberOption } from './options/numberOption.js';
import { specFrom } from './options/specOption.js';
import { contractText } from './output/contractTable.js';
import { effectsText } from './output/effectsTable.js';
import { writeJson } from './output/json.js';
import { numberOf } from './output/numberOf.js';
import { progressFor } from './output/progress.js';
import { packageVersion } from './packageVersion.js';

interface ReplayValues extends DatasetOptionValues {
  experiment?: string;
  out: string;
  name?: string;
  corpus?: string;
  retriever?: string[];
  stream?: string[];
  similarity?: string;
  embedder?: string;
  seeds?: string;
  mechanism?: string[];
  horizons?: string;
  anchorsPerWindow?: string;
  naturalMinimum?: string;
  capacity?: string;
  traceDepth?: string;
  baseDepth?: string;
  outputDepth?: string;
  cutoffs?: string;
  resamples?: string;
  bootstrapSeed?: string;
  confidence?: string;
  threads?: string;
  jsonl?: boolean;
  redact?: boolean;
  force?: boolean;
  audit: boolean;
  json?: boolean;
}

const notes = `
Give the path before options that take several words, which end at the next option only.
Exit codes: 0 done, and the audit holds; 2 inputs or a design that cannot be used, or a run that is in the way; 3 the audit
found a violation.`;

/** `asof replay`: the paired replay, from flags or from an experiment file. */
export function replayCommand(context: CliContext): Command {
  return addDatasetOptions(new Command('replay'))
    .description('Replay past-only against full-stream memory over a data set, audit it, and estimate the effects')
    .requiredOption('--out <folder>', 'folder of the run; an interrupted run of the same experiment is taken up again')
    .option('--experiment <file>', 'YAML or JSON file that describes the experiment; flags of the design override it')
    .option('--name <name>', 'name of the data set in the results (default: from its path)')
    .addOption(
      new Option(
        '--corpus <reading>',
        'corpus at an anchor: all of it, or what was available by then (default: frozen)',
      ).choices(['frozen', 'as-of']),
    )
    .option(
      '--retriever <kinds...>',
      'base retrievers: bm25, dense, hybrid; parameters as in bm25,b=0.4 (default: bm25)',
    )
    .option('--stream <kinds...>', 'orders of the requests: random, semantic, natural, gold-overlap (default: random)')
    .option('--similarity <kind>', 'how memory entries are selected: auto, lexical, embedding (default: auto)')
    .option('--embedder <kind>', 'minilm, or for example folder,path=models/all-mpnet-base-v2 (default: minilm)')
    .option('--seeds <list>', 'seeds of the streams, for example 1-5 or 1,2,7 (default: 1-5)')
    .option(
      '--mechanism <kinds...>',
      'memory mechanisms: trace, feedback; parameters as in trace,normalise=none (default: trace)',
    )
    .option('--horizons <list>', 'h of the Future-h conditions, in requests (default: 10,50,100,250,500)')
    .option('--anchors-per-window <n>', 'anchors around each of the 20, 40, 60 and 80% positions (default: 100)')
    .option(
      '--natural-minimum <n>',
      'natural streams: fewest past and future events of an anchor (default: the capacity)',
    )
    .option('--capacity <n>', 'memory entries selected at most (default: 32)')
    .option('--trace-depth <n>', 'd, entries of a trace that are read (default: 100)')
    .option('--base-depth <n>', 'length of the base lists (default: 200)')
    .option('--output-depth <n>', 'length of every ranking (default: that of the base list)')
    .option('--cutoffs <list>', 'cutoffs of recall; the largest is the headline (default: 10,20,50,100)')
    .option('--resamples <n>', 'resamples of the bootstrap (default: 5000)')
    .option('--bootstrap-seed <n>', 'seed of the bootstrap (default: 1)')
    .option('--confidence <share>', 'share of the resamples that an interval holds (default: 0.95)')
    .option('--threads <n>', 'threads that replay; no result depends on it (default: one for each processor)')
    .option('--jsonl', 'write the rows as JSON Lines too')
    .option('--redact', 'keep hashes of request texts instead of the texts')
    .option('--force', 'replace the run that the folder holds')
    .option('--no-audit', 'leave the audit for later (asof audit)')
    .option('--json', 'print JSON')
    .addHelpText('after', notes)
    .action((path: string | undefined, values: ReplayValues) => replay(context, path, values));
}

async function replay(context: CliContext, path: string | undefined, values: ReplayValues): Promise<void> {
  const experiment = await experimentFrom(path, values);
  const startedAt = context.now();
  const progress = progressFor(context);
  const run = await runExperiment({
    experiment,
    folder: values.out,
    version: packageVersion(),
    recorded: () => ({
      ...recordedEnvironment(context),
      startedAt: formatInstant(startedAt),
      finishedAt: formatInstant(context.now()),
    }),
    threads: numberOption('--threads', values.threads) ?? context.processors,
    jsonl: values.jsonl === true,
    redact: values.redact === true,
    force: values.force === true,
    skipAudit: !values.audit,
    onStage: (stage) => progress.stage(stage),
    onProgress: ({ done, total, unit, label }) => progress.update(done, total, unit, label),
  }).finally(() => progress.stop());
  if (values.json)
    writeJson(context.stdout, {
      folder: run.folder,
      runId: run.manifest.runId,
      hash: run.manifest.hash,
      contract: run.contract,
      effects: run.effects,
    });
  else context.stdout.write(runText(run, context));
  if (run.contract?.holds === false) throw new ContractViolationError(`${run.folder}: contract violated`);
}

function runText(run: FinishedRun, context: CliContext): string {
  const { manifest, effects, contract, folder } = run;
  const notes = (manifest.experiment.datasets as { name: string; note?: string }[]).flatMap(({ name, note }) =>
    note === undefined ? [] : [`${name}: ${note}\n`],
  );
  const verdict =
    contract === null
      ? `not audited: asof audit ${folder}\n`
      : contract.holds
        ? `the contract holds: ${contract.checks.reduce((sum, { checked }) => sum + checked, 0)} comparisons, no violation\n`
        : `\n${contractText(contract, context)}`;
  return [
    effectsText(effects, context),
    '\n',
    ...notes,
    verdict,
    `run ${manifest.runId}: ${numberOf(manifest.rows, 'row')} in ${folder}, manifest ${manifest.hash}\n`,
  ].join('');
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Where and on what the run was made; recorded beside the results, outside every hash. */
function recordedEnvironment({ argv, processors }: CliContext): Record<string, unknown> {
  return {
    command: ['asof', ...argv].map(shellQuoted).join(' '),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    processors,
    memoryBytes: totalmem(),
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
  };
}

/** Options that take words until the next option, and what their words begin with. */
const wordLists = [
  ['retriever', '--retriever', retrieverSchemas],
  ['stream', '--stream', streamSchemas],
  ['mechanism', '--mechanism', mechanismSchemas],
] as const;

/** @throws InvalidArgumentError when an option that takes several words has taken the data set's path for one of them */
function checkPathIsNotTaken(values: ReplayValues): void {
  for (const [key, option, kinds] of wordLists) {
    const last = values[key]?.at(-1);
    if (last === undefined || Object.hasOwn(kinds, last.split(',')[0]!)) continue;
    throw new InvalidArgumentError({
      argument: option,
      value: last,
      expected: `one of ${Object.keys(kinds).join(', ')}; if it is the path of the data set, put it before the options`,
    });
  }
}

async function experimentFrom(path: string | undefined, values: ReplayValues): Promise<Experiment> {
  if (path === undefined) checkPathIsNotTaken(values);
  if (values.experiment === undefined) return checkExperiment(fromFlags(path, values), 'command line');
  const { name: _name, datasets, ...overrides } = fromFlags(path, values);
  if (datasets !== undefined || values.name !== undefined) {
    throw new InvalidArgumentError({
      argument: '--experiment',
      value: path ?? values.name ?? 'options of a data set',
      expected: 'an experiment file, which names its data sets, or a data set on the command line; not both',
    });
  }
  const source = values.experiment;
  const text = (await readIfPresent(source))?.toString();
  if (text === undefined) throw new MissingResourceError({ resource: source, remedy: 'no such file; check the path' });
  const experiment = withPathsFrom(dirname(source), readExperiment(text, source, overrides));
  return loadMechanisms(experiment, (index) =>
    values.mechanism === undefined
      ? locationInExperiment(text, source, ['mechanisms', index, 'module'])
      : `--mechanism ${values.mechanism[index]}`,
  );
}

/** The flags as the keys of an experiment file; what is absent takes its default there. */
function fromFlags(path: string | undefined, values: ReplayValues): Record<string, unknown> {
  const { format, assets, requests, qrels, split, gold, tableText, zone, epoch, dateFormat, skipInvalid } = values;
  const name = values.name ?? basename(path ?? assets?.[0] ?? 'dataset').replace(/[^A-Za-z0-9._-]/g, '_');
  const dataset = {
    name,
    path,
    assets,
    requests,
    qrels,
    format,
    split,
    gold,
    tableText,
    zone,
    epoch,
    dateFormat,
    skipInvalid,
  };
  const isDatasetGiven = Object.entries(dataset).some(([key, value]) => key !== 'name' && value !== undefined);
  const bootstrap = present({
    resamples: numberOption('--resamples', values.resamples),
    seed: numberOption('--bootstrap-seed', values.bootstrapSeed),
    confidence: numberOption('--confidence', values.confidence),
  });
  return present({
    name,
    datasets: isDatasetGiven ? [present(dataset)] : undefined,
    corpus: values.corpus,
    retrievers: values.retriever?.map(specFrom),
    streams: values.stream?.map(specFrom),
    similarity: values.similarity,
    embedder: values.embedder === undefined ? undefined : specFrom(values.embedder),
    seeds: listFrom('--seeds', values.seeds),
    mechanisms: values.mechanism?.map(specFrom),
    horizons: listFrom('--horizons', values.horizons),
    anchorsPerWindow: numberOption('--anchors-per-window', values.anchorsPerWindow),
    naturalMinimum: numberOption('--natural-minimum', values.naturalMinimum),
    capacity: numberOption('--capacity', values.capacity),
    traceDepth: numberOption('--trace-depth', values.traceDepth),
    baseDepth: numberOption('--base-depth', values.baseDepth),
    outputDepth: numberOption('--output-depth', values.outputDepth),
    cutoffs: listFrom('--cutoffs', values.cutoffs),
    bootstrap: Object.keys(bootstrap).length > 0 ? bootstrap : undefined,
  });
}

function present(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** `1-5` and `1,2,7`, and both together. An empty text is the empty list. */
function listFrom(argument: string, text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined;
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    const range = /^(\d{1,9})-(\d{1,9})$/.exec(part.trim());
    if (range === null) return [numberOption(argument, part)!];
    const [low, high] = [Number(range[1]), Number(range[2])];
    if (high < low || high - low > 10_000) {
      throw new InvalidArgumentError({ argument, value: part, expected: 'a range of up to 10,000 that goes upwards' });
    }
    return Array.from({ length: high - low + 1 }, (_, i) => low + i);
  });
}
