import { basename } from 'node:path';
import { canonicalJson } from '../commitment/canonicalJson.js';
import { sha256Hex } from '../commitment/sha256.js';
import type { ModelVersion } from '../lineage/modelVersion.js';
import { conditionsFor } from '../memory/conditions.js';
import { eligibilityInWords, eligibilityVersion } from '../memory/eligibility.js';
import { describeMechanism } from '../replay/createMechanism.js';
import type { ReplayDomain } from '../replay/domain.js';
import type { Experiment } from '../replay/experiment.js';
import { readingsOf } from '../replay/readings.js';
import { rowMetricNames } from '../replay/rowMetrics.js';
import type { DomainRecord } from '../replay/runReplay.js';
import { specLabel } from '../replay/specLabel.js';
import type { Manifest, ManifestDomain } from './manifest.js';

/** What a manifest says that follows from the experiment alone. */
export type ExperimentDescription = Pick<
  Manifest,
  'experiment' | 'eligibility' | 'readings' | 'mechanisms' | 'conditions' | 'metrics'
>;

/**
 * The manifest's account of an experiment.
 * @param typeNames asset types of all domains, in code-unit order
 */
export function describeExperiment(experiment: Experiment, typeNames: readonly string[]): ExperimentDescription {
  return {
    experiment: withoutPaths(experiment),
    eligibility: { words: eligibilityInWords, version: eligibilityVersion },
    readings: readingsOf(experiment),
    mechanisms: experiment.mechanisms.map((spec) => {
      const { name, version, usesGold, reads, parameters } = describeMechanism(spec);
      return { label: specLabel(spec), name, version, usesGold, reads, parameters: { ...parameters } };
    }),
    conditions: conditionsFor(experiment.horizons).map(({ name }) => name),
    metrics: [...rowMetricNames(experiment.cutoffs, typeNames)],
  };
}

/** The experiment without the paths of its inputs: they differ from place to place, their digests do not. */
function withoutPaths(experiment: Experiment): Record<string, unknown> {
  const datasets = experiment.datasets.map(
    ({ path: _path, assets: _assets, requests: _requests, qrels: _qrels, ...rest }) => rest,
  );
  const mechanisms = experiment.mechanisms.map((spec) =>
    spec.kind === 'module' ? { ...spec, module: basename(spec.module) } : spec,
  );
  return { ...experiment, datasets, mechanisms };
}

/** The manifest's account of a domain, its inputs apart: everything that the files of the run folder give again. */
export type DomainDescription = Omit<ManifestDomain, 'inputs' | 'dropped'>;

export function describeDomain({ domain, streams, shards }: DomainRecord): DomainDescription {
  const { assets, requests, products, similarity, models } = domain;
  const counts = new Map(assets.typeNames.map((name) => [name, 0]));
  for (const type of assets.types) {
    const name = assets.typeNames[type]!;
    counts.set(name, counts.get(name)! + 1);
  }
  return {
    name: domain.name,
    assets: assets.ids.length,
    assetsByType: Object.fromEntries(counts),
    requests: requests.ids.length,
    meanProductSize: requests.ids.length === 0 ? null : products.rows.length / requests.ids.length,
    corpus: domain.assetTree.commitment(),
    types: domain.typesHash,
    requestsHash: domain.requestsHash,
    products: domain.productsHash,
    similarity: {
      id: similarity.id,
      hash: similarity.hash,
      vectors: similarity.vectors.kind,
      model: models.similarity.id,
    },
    retrievers: domain.retrievers.map(({ label, hash, base, indexHash }, i) => ({
      label,
      hash,
      index: indexHash,
      model: models.retrievers[i]!.id,
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

/** The versions of all domains, each once, parents before what was made from them. */
export function describeModels(domains: readonly ReplayDomain[]): ModelVersion[] {
  const versions = domains.flatMap(({ models }) => models.versions);
  return [...new Map(versions.map((version) => [version.id, version])).values()];
}

/** What a run's identity is taken over. */
export type RunIdentity = Pick<Manifest, 'tool' | 'experiment' | 'redacted' | 'repairs'> & {
  readonly domains: readonly Pick<ManifestDomain, 'name' | 'inputs'>[];
};

/** Identity of a run: what determines its results, in 16 hexadecimal digits. */
export function runIdOf({ tool, experiment, redacted, repairs, domains }: RunIdentity): string {
  const inputs = domains.map(({ name, inputs }) => [name, inputs.map(({ sha256 }) => sha256)]);
  const identity = { version: tool.version, experiment, redact: redacted, inputs, repairs: repairs ?? undefined };
  return sha256Hex(canonicalJson(identity)).slice(0, 16);
}
