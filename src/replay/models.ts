import { canonicalJson } from '../commitment/canonicalJson.js';
import type { MerkleLog } from '../commitment/merkleLog.js';
import { sha256Hex } from '../commitment/sha256.js';
import { type ModelVersion, newModelVersion } from '../lineage/modelVersion.js';
import type { MemoryMechanism } from '../memory/mechanisms/mechanism.js';
import type { Instant } from '../time/instant.js';
import { type Experiment, lexicalAnalyzer, type RetrieverSpec, selectsByEmbedding } from './experiment.js';
import { modelReading } from './readings.js';

/** What versions say of things that only whoever made them knows: names and content hashes. */
export interface ModelContents {
  readonly embedder: { readonly id: string; readonly hash: string; readonly availableAt: Instant | null } | null;
  readonly similarity: SimilarityContent;
  /** In the order of the experiment's retrievers. */
  readonly retrievers: readonly RetrieverContent[];
}

interface SimilarityContent {
  readonly id: string;
  readonly hash: string;
  /** Content of the corpus statistics that its weights come from; null where it has none. */
  readonly statistics: string | null;
}

interface RetrieverContent {
  readonly label: string;
  readonly hash: string;
  /** Content of the corpus statistics; null where there are none, or where they follow the anchor. */
  readonly statistics: string | null;
}

/** The corpus of a domain, as far as statistics are fitted on it. */
export interface FittedCorpus {
  readonly tree: MerkleLog;
  /** [assets] ascending; not finite where an asset has no clock. */
  readonly availableAt: Float64Array;
  /** [requests] rows of the snapshot at each request. */
  readonly visibleRows: Uint32Array;
}

/** Versions of everything that took part in ranking a domain. */
export interface DomainModels {
  readonly similarity: ModelVersion;
  readonly retrievers: readonly ModelVersion[];
  /** [retrievers][mechanisms] θ of a shard: the version that its rows name. */
  readonly states: readonly (readonly ModelVersion[])[];
  /** All of them and their ancestors, each once, parents before what was made from them. */
  readonly versions: readonly ModelVersion[];
}

/**
 * The θ registry of a domain: similarity, retrievers and mechanisms with what they were made from. A pure function of the
 * experiment, the corpus and content hashes, so that the audit makes the same versions of a run's artefacts.
 */
export function domainModels(
  experiment: Experiment,
  contents: ModelContents,
  mechanisms: readonly Pick<MemoryMechanism, 'name' | 'version' | 'parameters'>[],
  corpus: FittedCorpus,
): DomainModels {
  const versions = new Map<string, ModelVersion>();
  const register = (version: ModelVersion): ModelVersion => {
    versions.set(version.id, version);
    return version;
  };
  const embedder = contents.embedder && register(embedderVersion(contents.embedder, modelReading(experiment)));
  const reading = experiment.corpus;
  const statistics = ({ statistics: content }: RetrieverContent, analyzer: string) =>
    register(
      content === null
        ? anchoredStatistics(analyzer)
        : fittedStatistics(content, analyzer, corpus, Number.MAX_VALUE, reading),
    );

  const similarity = register(
    derivedVersion(
      'similarity',
      contents.similarity,
      selectsByEmbedding(experiment)
        ? [embedder!]
        : [
            register(
              fittedStatistics(
                contents.similarity.statistics!,
                lexicalAnalyzer(experiment),
                corpus,
                smallestSnapshot(corpus),
                reading,
              ),
            ),
          ],
    ),
  );
  const retrievers = experiment.retrievers.map((spec, i) => {
    const content = contents.retrievers[i]!;
    const parents = [
      ...('analyzer' in spec ? [statistics(content, spec.analyzer)] : []),
      ...(usesEmbedder(spec) ? [embedder!] : []),
    ];
    return register(derivedVersion('retriever', { id: content.label, hash: content.hash }, parents));
  });
  const mechanismVersions = mechanisms.map(({ name, version, parameters }) =>
    register(
      newModelVersion({
        kind: 'mechanism',
        name: `${name}/${version}`,
        content: sha256Hex(canonicalJson({ name, version, parameters })),
        origin: 'fixed',
        reading: 'as-of',
        availableAt: null,
        parents: [],
        training: null,
        parameters: { ...parameters },
      }),
    ),
  );
  const states = retrievers.map((retriever) =>
    mechanismVersions.map((mechanism) => {
      const parents = [retriever, similarity, mechanism];
      const hash = sha256Hex(canonicalJson(parents.map(({ id }) => id)));
      return register(derivedVersion('state', { id: `${retriever.name} / ${mechanism.name}`, hash }, parents));
    }),
  );
  return { similarity, retrievers, states, versions: [...versions.values()] };
}

function usesEmbedder({ kind }: RetrieverSpec): boolean {
  return kind !== 'bm25';
}

/** A model that was trained elsewhere. */
export function embedderVersion(
  { id, hash, availableAt }: NonNullable<ModelContents['embedder']>,
  reading: ModelVersion['reading'],
): ModelVersion {
  const origin = 'pretrained';
  return newModelVersion({
    ...{ kind: 'embedder', name: id, content: hash, origin, reading, availableAt },
    ...{ parents: [], training: null, parameters: {} },
  });
}

/** Something that has no data of its own: all that it knows, its parents know. */
function derivedVersion(
  kind: string,
  content: { id: string; hash: string },
  parents: readonly ModelVersion[],
): ModelVersion {
  return newModelVersion({
    ...{ kind, name: content.id, content: content.hash, origin: 'fixed', reading: 'as-of', availableAt: null },
    ...{ parents: parents.map(({ id }) => id), training: null, parameters: {} },
  });
}

/** Document frequencies and lengths of a prefix of the corpus: there when the newest of its assets is. */
function fittedStatistics(
  content: string,
  analyzer: string,
  { tree, availableAt }: FittedCorpus,
  mostRows: number,
  reading: ModelVersion['reading'],
): ModelVersion {
  const size = Math.min(mostRows, tree.size);
  const newest = size === 0 ? Number.NEGATIVE_INFINITY : availableAt[size - 1]!;
  const newestAt = Number.isFinite(newest) ? newest : null;
  return newModelVersion({
    kind: 'statistics',
    name: `terms of ${size} assets`,
    content,
    origin: 'fitted',
    reading,
    availableAt: newestAt,
    parents: [],
    training: { log: 'corpus', newestAt, ...tree.commitment(size) },
    parameters: { analyzer },
  });
}

/** Document frequencies and lengths that are taken anew at every anchor, of the snapshot that the row names. */
export function anchoredStatistics(analyzer: string): ModelVersion {
  return newModelVersion({
    kind: 'statistics',
    name: 'terms of the snapshot at the anchor',
    content: sha256Hex(canonicalJson({ statistics: 'terms of the snapshot/1', analyzer })),
    origin: 'fitted',
    reading: 'as-of',
    availableAt: null,
    parents: [],
    training: { log: 'corpus', follows: 'anchor' },
    parameters: { analyzer },
  });
}

/** Rows of the earliest snapshot that any request sees: what was known when the streams began. */
export function smallestSnapshot({ visibleRows, tree }: Pick<FittedCorpus, 'visibleRows' | 'tree'>): number {
  return visibleRows.reduce((least, rows) => Math.min(least, rows), tree.size);
}
