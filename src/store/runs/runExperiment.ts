import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { auditRun } from '../../audit/contract/auditRun.js';
import type { ContractReport } from '../../audit/contract/check.js';
import { type Manifest, manifestFormat, manifestHash } from '../../audit/manifest.js';
import { canonicalJson } from '../../commitment/canonicalJson.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { type Dataset, type DatasetOptions, loadDataset } from '../../corpus/dataset.js';
import { conditionsFor } from '../../memory/conditions.js';
import { eligibilityInWords, eligibilityVersion } from '../../memory/eligibility.js';
import { CellCollector } from '../../replay/cellRows.js';
import { createMechanism } from '../../replay/createMechanism.js';
import { effectsCsv } from '../../replay/effectsCsv.js';
import { type Experiment, needsEmbedder } from '../../replay/experiment.js';
import { openEmbedder } from '../../replay/openEmbedder.js';
import { prepareDomain } from '../../replay/prepareDomain.js';
import { rowMetricNames } from '../../replay/rowMetrics.js';
import { type RunEffects, runEffects } from '../../replay/runEffects.js';
import { type DomainRecord, type ReplayProgress, replayDomain } from '../../replay/runReplay.js';
import { specLabel } from '../../replay/specLabel.js';
import { digestOf } from './digestOf.js';
import { inRun, runLayout } from './layout.js';
import { RunFolder } from './RunFolder.js';
import { RunReader } from './RunReader.js';
import { readEffectRows } from './rowsFile.js';

export interface RunExperimentOptions {
  readonly experiment: Experiment;
  /** Folder of the run; made, or taken up where an interrupted run of the same experiment stopped. */
  readonly folder: string;
  /** Version of asof, part of the run's identity. */
  readonly version: string;
  /** When, where and how: kept under `recorded`, outside every hash. Called when the run is complete. */
  readonly recorded: () => Readonly<Record<string, unknown>>;
  readonly jsonl?: boolean;
  readonly redact?: boolean;
  readonly force?: boolean;
  /** Skip the audit at the end; the manifest then records no contract result. */
  readonly skipAudit?: boolean;
  /** Threads that replay; no byte of the run depends on it. */
  readonly threads?: number | undefined;
  readonly onStage?: (stage: string) => void;
  readonly onProgress?: (progress: ReplayProgress) => void;
}

export interface FinishedRun {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly effects: RunEffects;
  readonly contract: ContractReport | null;
}

/** Runs an experiment from its inputs to a complete run folder: rows, effects, audit, manifest. */
export async function runExperiment(options: RunExperimentOptions): Promise<FinishedRun> {
  const { experiment, folder, version, onStage = () => {} } = options;
  const datasets = new Map<string, Dataset>();
  for (const spec of experiment.datasets) {
    onStage(`reading ${spec.name}`);
    datasets.set(spec.name, await loadDataset(datasetOptions(spec)));
  }
  const identity = {
    version,
    experiment: withoutPaths(experiment),
    redact: options.redact === true,
    inputs: Array.from(datasets, ([name, { inputs }]) => [name, inputs.map(({ sha256 }) => sha256)]),
  };
  const runId = sha256Hex(canonicalJson(identity)).slice(0, 16);
  const run = await RunFolder.open({ folder, runId, redact: options.redact === true, force: options.force === true });

  const typeNames = [...new Set([...datasets.values()].flatMap(({ corpus }) => corpus.typeNames))].sort(
    compareCodeUnits,
  );
  const metrics = rowMetricNames(experiment.cutoffs, typeNames);
  const embedder = needsEmbedder(experiment) ? await openEmbedder(experiment.embedder) : undefined;
  const records: DomainRecord[] = [];
  try {
    for (const [name, dataset] of datasets) {
      onStage(`retrieving for ${name}`);
      const domain = await prepareDomain(name, dataset, experiment, {
        embedder,
        onEmbedded: (done, total) => options.onProgress?.({ done, total, unit: 'texts', label: `embedding ${name}` }),
      });
      const { threads, onProgress } = options;
      records.push(await replayDomain(domain, experiment, { metricNames: metrics, sink: run, threads, onProgress }));
    }
  } finally {
    await embedder?.close();
  }
  onStage('writing rows');
  await run.finishRows({ jsonl: options.jsonl === true });

  onStage('estimating effects');
  const cells = new CellCollector(runLayout.rows);
  let rowCount = 0;
  for await (const rows of readEffectRows(inRun(folder, runLayout.rows), metrics)) {
    rowCount += rows.rows;
    cells.add(rows);
  }
  const effects = runEffects(cells.cells(), experiment.bootstrap);
  await run.writeText(runLayout.effectsJson, `${JSON.stringify(effects, null, 2)}\n`);
  await run.writeText(runLayout.effectsCsv, effectsCsv(effects));

  const draft = {
    format: manifestFormat,
    tool: { name: 'asof' as const, version },
    runId,
    experiment: withoutPaths(experiment),
    redacted: options.redact === true,
    eligibility: { words: eligibilityInWords, version: eligibilityVersion },
    mechanisms: describeMechanisms(experiment, records[0]!),
    conditions: conditionsFor(experiment.horizons).map(({ name }) => name),
    metrics: [...metrics],
    domains: records.map((record) => describeDomain(record)),
    rows: rowCount,
    artefacts: await describeArtefacts(folder, records, options.jsonl === true),
    summary: effects.summary,
    contract: null,
  } satisfies Omit<Manifest, 'hash' | 'recorded'>;
  const inputs = Object.fromEntries(
    Array.from(datasets, ([name, dataset]) => [
      name,
      Object.fromEntries(dataset.inputs.map(({ path }) => [basename(path), path])),
    ]),
  );
  const complete = (contract: Manifest['contract']): Manifest => {
    const determined = { ...draft, contract };
    const recorded = { ...options.recorded(), inputs, datasets: experiment.datasets };
    return { ...determined, recorded, hash: manifestHash(determined) };
  };

  let contract: ContractReport | null = null;
  if (options.skipAudit !== true) {
    onStage('auditing');
    contract = await auditRun(RunReader.of(folder, complete(null)), experiment);
  }
  const manifest = complete(
    contract && {
      holds: contract.holds,
      checks: contract.checks.map(({ name, checked, violations, note, examples }) => ({
        name,
        checked,
        violations,
        note,
        examples: [...examples],
      })),
    },
  );
  await run.finish(`${JSON.stringify(manifest, null, 2)}\n`);
  return { folder, manifest, effects, contract };
}

function datasetOptions(spec: Experiment['datasets'][number]): DatasetOptions {
  const { zone, epoch, dateFormat, note: _note, ...rest } = spec;
  return { ...rest, instants: { zone, epoch, dateFormat } };
}

/** The experiment without the paths of its inputs: they differ from place to place, their digests do not. */
function withoutPaths(experiment: Experiment): Record<string, unknown> {
  const datasets = experiment.datasets.map(
    ({ path: _path, assets: _assets, requests: _requests, qrels: _qrels, ...rest }) => rest,
  );
  return { ...experiment, datasets };
}

function describeMechanisms(experiment: Experiment, { domain }: DomainRecord): Manifest['mechanisms'] {
  return experiment.mechanisms.map((spec) => {
    const context = {
      traces: domain.retrievers[0]!.base,
      traceDepth: experiment.traceDepth,
      idOrder: domain.dataset.corpus.idOrder,
    };
    const { name, version, usesGold, reads, parameters } = createMechanism(spec, context, domain.dataset.products);
    return { label: specLabel(spec), name, version, usesGold, reads, parameters };
  });
}

function describeDomain({ domain, streams, shards }: DomainRecord): Manifest['domains'][number] {
  const { dataset, assets, similarity } = domain;
  const counts = assets.typeNames.map((name, type) => [name, assets.types.filter((code) => code === type).length]);
  return {
    name: domain.name,
    inputs: dataset.inputs.map(({ role, path, bytes, sha256 }) => ({ role, name: basename(path), bytes, sha256 })),
    dropped: { ...dataset.dropped },
    assets: assets.ids.length,
    assetsByType: Object.fromEntries(counts),
    requests: dataset.requests.size,
    meanProductSize: dataset.requests.size === 0 ? null : dataset.products.rows.length / dataset.requests.size,
    corpus: domain.corpus,
    types: domain.typesHash,
    requestsHash: domain.requestsHash,
    products: domain.productsHash,
    similarity: { id: similarity.id, hash: similarity.hash, vectors: similarity.vectors.kind },
    retrievers: domain.retrievers.map(({ label, hash, base, indexHash }) => ({
      label,
      hash,
      index: indexHash,
      emptyLists: base.lengths.filter((length) => length === 0).length,
    })),
    streams: streams.map(({ label, stream, hash, plan }) => ({
      label,
      kind: stream.kind,
      seed: stream.seed,
      usesGold: stream.usesGold,
      clock: stream.clockKind,
      parameters: { ...stream.parameters },
      hash,
      anchors: plan.anchors.length,
      skippedAnchors: plan.skipped,
    })),
    shards: shards.map((shard) => ({ ...shard })),
  };
}

async function describeArtefacts(
  folder: string,
  records: readonly DomainRecord[],
  jsonl: boolean,
): Promise<Manifest['artefacts']> {
  const paths = [
    runLayout.rows,
    ...(jsonl ? [runLayout.rowsJsonl] : []),
    runLayout.effectsJson,
    runLayout.effectsCsv,
    ...records.flatMap(({ domain, streams }) => [
      runLayout.assets(domain.name),
      runLayout.requests(domain.name),
      ...domain.retrievers.map(({ label }) => runLayout.base(domain.name, label)),
      ...streams.map(({ label, stream }) => runLayout.stream(domain.name, label, stream.seed)),
    ]),
  ];
  return Promise.all(
    paths.map(async (path) => ({
      path,
      bytes: (await stat(inRun(folder, path))).size,
      sha256: (await digestOf(inRun(folder, path)))!,
    })),
  );
}
