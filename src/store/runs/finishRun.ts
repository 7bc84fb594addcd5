import { stat } from 'node:fs/promises';
import type { ContractReport } from '../../audit/contract/check.js';
import {
  describeDomain,
  describeExperiment,
  describeModels,
  type RunIdentity,
  runIdOf,
} from '../../audit/describeRun.js';
import { type Manifest, type ManifestDomain, manifestFormat, manifestHash } from '../../audit/manifest.js';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { CellCollector } from '../../replay/cellRows.js';
import { effectsCsv } from '../../replay/effectsCsv.js';
import type { Experiment } from '../../replay/experiment.js';
import { type RunEffects, runEffects } from '../../replay/runEffects.js';
import type { DomainRecord } from '../../replay/runReplay.js';
import { auditFolder } from './auditFolder.js';
import { digestOf } from './digestOf.js';
import { inRun, runFiles, runLayout } from './layout.js';
import type { RunFolder } from './RunFolder.js';
import { RunReader } from './RunReader.js';
import { readEffectRows } from './rowsFile.js';

/** A domain of a run whose rows are there, with what only its inputs say. */
export type FinishedDomain = DomainRecord & Pick<ManifestDomain, 'inputs' | 'dropped'>;

export interface FinishOptions {
  readonly run: RunFolder;
  readonly experiment: Experiment;
  readonly identity: Pick<RunIdentity, 'tool' | 'redacted' | 'repairs'>;
  readonly domains: readonly FinishedDomain[];
  readonly jsonl: boolean;
  /** When, where and how: kept under `recorded`, outside every hash. Called when the run is complete. */
  readonly recorded: () => Readonly<Record<string, unknown>>;
  readonly skipAudit: boolean;
  readonly threads: number | undefined;
  readonly onStage: (stage: string) => void;
}

/** A complete run: where it lies, what its manifest says, its effects, and the audit unless it was left for later. */
export interface FinishedRun {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly effects: RunEffects;
  readonly contract: ContractReport | null;
}

/** Asset types of several domains, in code-unit order: the metrics of a run are over all of them. */
export function allTypeNames(domains: readonly { readonly typeNames: readonly string[] }[]): string[] {
  return [...new Set(domains.flatMap(({ typeNames }) => typeNames))].sort(compareCodeUnits);
}

/** Makes a complete run folder of the rows of all domains: effects, audit, manifest. */
export async function finishRun(options: FinishOptions): Promise<FinishedRun> {
  const { run, experiment, identity, domains, jsonl, onStage } = options;
  const { folder } = run;
  onStage('writing rows');
  await run.finishRows({ jsonl });

  onStage('estimating effects');
  const described = describeExperiment(experiment, allTypeNames(domains.map(({ domain }) => domain.assets)));
  const cells = new CellCollector(runLayout.rows);
  let rows = 0;
  for await (const shard of readEffectRows(inRun(folder, runLayout.rows), described.metrics)) {
    rows += shard.rows;
    cells.add(shard);
  }
  const effects = runEffects(cells.cells(), experiment.bootstrap);
  await run.writeText(runLayout.effectsJson, `${JSON.stringify(effects, null, 2)}\n`);
  await run.writeText(runLayout.effectsCsv, effectsCsv(effects));

  const manifestDomains = domains.map(({ inputs, dropped, ...record }) => {
    const { name, ...rest } = describeDomain(record);
    return { name, inputs, dropped, ...rest };
  });
  const draft = {
    format: manifestFormat,
    tool: identity.tool,
    runId: runIdOf({ ...identity, ...described, domains: manifestDomains }),
    redacted: identity.redacted,
    ...described,
    models: describeModels(domains.map(({ domain }) => domain)),
    domains: manifestDomains,
    rows,
    artefacts: await describeArtefacts(folder, domains, jsonl),
    summary: effects.summary,
    contract: null,
    repairs: identity.repairs,
  } satisfies Omit<Manifest, 'hash' | 'recorded'>;
  const complete = (contract: Manifest['contract']): Manifest => {
    const determined = { ...draft, contract };
    return { ...determined, recorded: { ...options.recorded() }, hash: manifestHash(determined) };
  };

  let contract: ContractReport | null = null;
  if (!options.skipAudit) {
    onStage('auditing');
    contract = await auditFolder(RunReader.of(folder, complete(null)), { threads: options.threads });
  }
  const manifest = complete(contract && contractRecord(contract));
  await run.finish(`${JSON.stringify(manifest, null, 2)}\n`);
  return { folder, manifest, effects, contract };
}

function contractRecord({ holds, checks }: ContractReport): Manifest['contract'] {
  return {
    holds,
    checks: checks.map(({ name, checked, violations, note, examples }) => ({
      name,
      checked,
      violations,
      note,
      examples: [...examples],
    })),
  };
}

async function describeArtefacts(
  folder: string,
  records: readonly DomainRecord[],
  jsonl: boolean,
): Promise<Manifest['artefacts']> {
  const domains = records.map(({ domain, streams }) => ({
    name: domain.name,
    retrievers: domain.retrievers,
    streams: streams.map(({ label, stream: { seed } }) => ({ label, seed })),
  }));
  const paths = runFiles(domains, jsonl);
  return Promise.all(
    paths.map(async (path) => ({
      path,
      bytes: (await stat(inRun(folder, path))).size,
      sha256: (await digestOf(inRun(folder, path)))!,
    })),
  );
}
