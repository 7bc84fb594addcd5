import { describeExperiment, runIdOf } from '../../audit/describeRun.js';
import { type Dataset, type DatasetOptions, loadDataset } from '../../corpus/dataset.js';
import { type Experiment, needsEmbedder } from '../../replay/experiment.js';
import { loadMechanisms } from '../../replay/mechanismModule.js';
import { openEmbedder } from '../../replay/openEmbedder.js';
import { prepareDomain } from '../../replay/prepareDomain.js';
import { type ReplayProgress, replayDomain } from '../../replay/runReplay.js';
import { specLabel } from '../../replay/specLabel.js';
import { allTypeNames, type FinishedDomain, type FinishedRun, finishRun } from './finishRun.js';
import { nameInputs } from './inputNames.js';
import { keptInputPath } from './inputPaths.js';
import { RunFolder } from './RunFolder.js';

export type { FinishedRun } from './finishRun.js';

/** What is run, where to, and how. */
export interface RunExperimentOptions {
  readonly experiment: Experiment;
  /** Folder of the run; made, or taken up where an interrupted run of the same experiment stopped. */
  readonly folder: string;
  /** Version of asof, part of the run's identity. */
  readonly version: string;
  /** When, where and how: kept under `recorded`, outside every hash. Called when the run is complete. */
  readonly recorded: () => Readonly<Record<string, unknown>>;
  /** Write the rows as JSON Lines too. */
  readonly jsonl?: boolean;
  /** Keep hashes of request texts instead of the texts. */
  readonly redact?: boolean;
  /** Replace a run of another experiment that the folder holds. */
  readonly force?: boolean;
  /** Skip the audit at the end; the manifest then records no contract result. */
  readonly skipAudit?: boolean;
  /** Threads that replay; no byte of the run depends on it. */
  readonly threads?: number | undefined;
  /** Told what is begun, in words. */
  readonly onStage?: (stage: string) => void;
  /** Told how far a domain's streams are. */
  readonly onProgress?: (progress: ReplayProgress) => void;
}

/**
 * Runs an experiment from its inputs to a complete run folder: rows, effects, audit, manifest. An interrupted run of the
 * same experiment goes on where it stopped.
 *
 * @throws InvalidInputError when a data set has a record that cannot be used
 * @throws ExistingFileError when the folder holds another run, without `force`
 */
export async function runExperiment(options: RunExperimentOptions): Promise<FinishedRun> {
  const { folder, version, threads, onProgress, onStage = () => {} } = options;
  const experiment = await loadMechanisms(options.experiment);
  const datasets = new Map<string, Dataset>();
  for (const spec of experiment.datasets) {
    onStage(`reading ${spec.name}`);
    datasets.set(spec.name, await loadDataset(datasetOptions(spec)));
  }
  const redacted = options.redact === true;
  const identity = { tool: { name: 'asof' as const, version }, redacted, repairs: null };
  const { metrics, ...described } = describeExperiment(
    experiment,
    allTypeNames(Array.from(datasets.values(), ({ corpus }) => corpus)),
  );
  const inputsOf = ({ inputs }: Dataset) =>
    nameInputs(inputs).map(({ role, name, bytes, sha256 }) => ({ role, name, bytes, sha256 }));
  const runId = runIdOf({
    ...identity,
    ...described,
    domains: Array.from(datasets, ([name, dataset]) => ({ name, inputs: inputsOf(dataset) })),
  });
  const run = await RunFolder.open({ folder, runId, redact: redacted, force: options.force === true });

  const embedder = needsEmbedder(experiment) ? await openEmbedder(experiment.embedder) : undefined;
  const domains: FinishedDomain[] = [];
  try {
    for (const [name, dataset] of datasets) {
      onStage(`retrieving for ${name}`);
      const domain = await prepareDomain(name, dataset, experiment, {
        embedder,
        onEmbedded: (done, total) => onProgress?.({ done, total, unit: 'texts', label: `embedding ${name}` }),
      });
      const record = await replayDomain(domain, experiment, { metricNames: metrics, sink: run, threads, onProgress });
      domains.push({ ...record, inputs: inputsOf(dataset), dropped: { ...dataset.dropped } });
    }
  } finally {
    await embedder?.close();
  }
  const paths = Array.from(datasets, ([name, { inputs }]): [string, object] => [
    name,
    Object.fromEntries(nameInputs(inputs).map(({ name: input, path }) => [input, keptInputPath(folder, path)])),
  ]);
  const recorded = () => ({
    ...options.recorded(),
    inputs: Object.fromEntries(paths),
    datasets: experiment.datasets,
    ...mechanismPaths(folder, experiment),
  });
  const { jsonl = false, skipAudit = false } = options;
  return finishRun({ run, experiment, identity, domains, jsonl, recorded, skipAudit, threads, onStage });
}

/** Where the modules of mechanisms lay, by label. */
function mechanismPaths(folder: string, { mechanisms }: Experiment): { mechanisms?: Record<string, string> } {
  const modules = mechanisms.filter((spec) => spec.kind === 'module');
  if (modules.length === 0) return {};
  return {
    mechanisms: Object.fromEntries(modules.map((spec) => [specLabel(spec), keptInputPath(folder, spec.module)])),
  };
}

function datasetOptions(spec: Experiment['datasets'][number]): DatasetOptions {
  const { zone, epoch, dateFormat, note: _note, ...rest } = spec;
  return { ...rest, instants: { zone, epoch, dateFormat } };
}
