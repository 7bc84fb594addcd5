import type { ModelVersion } from '../../lineage/modelVersion.js';
import { commitDomain, type DomainParts, type ReplayDomain, snapshotsAt } from '../../replay/domain/domain.js';
import { type Experiment, needsEmbedder } from '../../replay/experiment/experiment.js';
import { parseInstant } from '../../time/parseInstant.js';
import type { Manifest, ManifestDomain } from '../manifest.js';
import type { DomainArtefacts } from './artefacts.js';

/**
 * A domain again from what its run folder holds: the same code that commits to it in a replay, on the artefacts. Content
 * hashes that no artefact gives (an index, an embedder) are those that the manifest records, which the rows bind.
 */
export function recomputeDomain(
  manifest: Manifest,
  recorded: ManifestDomain,
  artefacts: DomainArtefacts,
  experiment: Experiment,
): ReplayDomain {
  const { assets, requests, products, vectors, bases } = artefacts;
  const versions = new Map(manifest.models.map((version) => [version.id, version]));
  const parentsOf = (id: string) => versions.get(id)?.parents.flatMap((parent) => versions.get(parent) ?? []) ?? [];
  const statisticsOf = (id: string) => parentsOf(id).find(isFittedOnce)?.content ?? null;
  const { id, hash, model } = recorded.similarity;
  const parts: DomainParts = {
    name: recorded.name,
    assets,
    requests,
    products,
    visibleRows: isDatable(artefacts, experiment)
      ? snapshotsAt(assets, requests, experiment.corpus, recorded.name)
      : artefacts.snapshots,
    similarity: { id, hash, vectors, statistics: statisticsOf(model) ?? '' },
    embedder: embedderOf(
      [...parentsOf(model), ...recorded.retrievers.flatMap((one) => parentsOf(one.model))],
      experiment,
    ),
    retrievers: recorded.retrievers.map((retriever) => ({
      label: retriever.label,
      hash: retriever.hash,
      statistics: statisticsOf(retriever.model),
      base: bases.get(retriever.label)!,
    })),
  };
  return commitDomain(parts, experiment);
}

/** Whether every request has a time, where the corpus is read as of it. */
export function isDatable({ requests }: Pick<DomainArtefacts, 'requests'>, { corpus }: Experiment): boolean {
  return corpus === 'frozen' || !requests.observedAt.some((instant) => Number.isNaN(instant));
}

/** Statistics of one prefix, not of whatever prefix the anchor sees. */
function isFittedOnce({ kind, training }: ModelVersion): boolean {
  return kind === 'statistics' && training !== null && 'size' in training;
}

/** The embedder where one takes part: its name and content from the versions, its date from the experiment. */
function embedderOf(versions: readonly ModelVersion[], experiment: Experiment): DomainParts['embedder'] {
  if (!needsEmbedder(experiment)) return null;
  const version = versions.find(({ kind }) => kind === 'embedder');
  const { availableAt } = experiment.embedder;
  return {
    id: version?.name ?? 'not recorded',
    hash: version?.content ?? '',
    availableAt: availableAt === undefined ? null : parseInstant(availableAt),
  };
}
