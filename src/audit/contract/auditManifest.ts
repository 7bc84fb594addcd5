import { modelVersionId } from '../../lineage/modelVersion.js';
import type { Experiment } from '../../replay/experiment/experiment.js';
import { specLabel } from '../../replay/experiment/specLabel.js';
import { streamRuns } from '../../replay/plan/planStream.js';
import { describeExperiment, runIdOf } from '../describeRun.js';
import { type Manifest, manifestHash } from '../manifest.js';
import type { Checks } from './check.js';
import { compareJson } from './compareJson.js';

/** Checks what a manifest says that follows from itself: its hash, its identity, and the account of its experiment. */
export function auditManifest(manifest: Manifest, experiment: Experiment, checks: Checks): void {
  checks.manifest.equal(() => 'manifest.json', manifestHash(manifest), manifest.hash);
  checks.description.equal(() => 'manifest, runId', manifest.runId, runIdOf(manifest));
  const typeNames = [...new Set(manifest.domains.flatMap(({ assetsByType }) => Object.keys(assetsByType)))].sort();
  const described = describeExperiment(experiment, typeNames);
  for (const member of ['eligibility', 'readings', 'mechanisms', 'conditions', 'metrics'] as const) {
    compareJson(checks.description, `manifest, ${member}`, manifest[member], described[member]);
  }
  auditModelsUsed(manifest, checks);
  const names = (items: readonly string[]) => items.join('; ');
  const listed = (found: readonly string[], expected: readonly string[], where: string) =>
    checks.population.equal(() => where, names(found), names(expected));
  listed(
    manifest.domains.map(({ name }) => name),
    experiment.datasets.map(({ name }) => name),
    'manifest, domains',
  );
  const retrievers = experiment.retrievers.map((spec) => specLabel(spec));
  const streams = streamRuns(experiment).map(({ spec, seed }) => `${specLabel(spec)}/${seed}`);
  for (const domain of manifest.domains) {
    const where = `${domain.name}: manifest`;
    listed(
      domain.retrievers.map(({ label }) => label),
      retrievers,
      `${where}, retrievers`,
    );
    listed(
      domain.streams.map(({ label, seed }) => `${label}/${seed}`),
      streams,
      `${where}, streams`,
    );
    listed(
      domain.shards.map(({ stream, seed, retriever, mechanism }) => `${stream}/${seed}/${retriever}/${mechanism}`),
      streams.flatMap((stream) =>
        retrievers.flatMap((retriever) =>
          experiment.mechanisms.map((mechanism) => `${stream}/${retriever}/${specLabel(mechanism)}`),
        ),
      ),
      `${where}, shards`,
    );
  }
}

/** A run lists the versions that its rows were ranked with, their ancestors, and no others. */
function auditModelsUsed({ models, domains }: Manifest, { model: check }: Checks): void {
  const parentsOf = new Map(models.map(({ id, parents }) => [id, parents]));
  const used = new Set(domains.flatMap(({ shards }) => shards.map(({ model }) => model)));
  for (const id of used) for (const parent of parentsOf.get(id) ?? []) used.add(parent);
  const unused = models.filter(({ id }) => !used.has(id)).map(({ name }) => name);
  check.equal(() => 'manifest, models that nothing was ranked with', unused.join('; '), '');
  for (const model of models) {
    check.equal(() => `model ${model.name}: id`, model.id, modelVersionId(model));
  }
}
