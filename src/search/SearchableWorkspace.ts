import path from 'node:path';
import type { Embedder } from '../embedding/Embedder.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import type { ModelVersion } from '../lineage/modelVersion.js';
import { openEmbedder } from '../replay/domain/openEmbedder.js';
import type { EmbedderSpec } from '../replay/experiment/experiment.js';
import { checkEmbedderSpec } from '../replay/experiment/readExperiment.js';
import { english } from '../retrieval/analysis/english.js';
import { namesOf } from '../retrieval/analysis/names.js';
import type { DenseIndex } from '../retrieval/dense/DenseIndex.js';
import { temporalIntent } from '../retrieval/intent/temporalIntent.js';
import { checkInstant } from '../store/workspace/checkInstant.js';
import type { IngestOptions, IngestReport } from '../store/workspace/ingest.js';
import { type OpenOptions, openWorkspace as openLog } from '../store/workspace/openWorkspace.js';
import { firstRowsOf } from '../store/workspace/rowRuns.js';
import type { SegmentRows } from '../store/workspace/segmentRows.js';
import type { CommitRecord } from '../store/workspace/state.js';
import type { ShownAsset, Workspace, WorkspaceContent } from '../store/workspace/Workspace.js';
import type { WithdrawOptions } from '../store/workspace/withdraw.js';
import type { Instant } from '../time/instant.js';
import { ApproximateBlocks } from './ApproximateBlocks.js';
import type { SearchAnswer } from './answer.js';
import { type BuildReport, buildIndexes } from './buildIndexes.js';
import { carriers } from './carryVectors.js';
import { type EmbedderRecord, recordOf } from './embedderRecord.js';
import { ModelRegistry } from './modelRegistry.js';
import { embedderOf, SegmentIndexes } from './SegmentIndexes.js';
import { type SearchSources, Snapshot } from './Snapshot.js';
import type { SearchOptions } from './settings.js';
import { VersionCache } from './VersionCache.js';
import { workspaceModels } from './workspaceModels.js';

/** How a workspace is opened for search. */
export interface OpenSearchOptions extends OpenOptions {
  /** An embedder that the caller brings; without, the one that the workspace was embedded with is opened when needed. */
  readonly embedder?: Embedder | undefined;
  /** Folder of models and of embeddings made before; asof's folder in the user's cache by default. */
  readonly cacheFolder?: string | undefined;
  /** Rows that share a graph in approximate search; 32,768 by default. */
  readonly blockRows?: number | undefined;
}

/** How `index` makes what is missing. */
export interface IndexOptions {
  /**
   * Embeds the texts by this model, from now on; `true` for the embedder that the caller brought, or all-MiniLM-L6-v2.
   * Absent: by the model that the workspace was embedded with, if any.
   */
  readonly embed?: EmbedderSpec | boolean | undefined;
  /** Told how many texts are embedded, of those that have to be. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How `ingest` reads, and indexes what it read. */
export interface IngestAndIndexOptions extends IngestOptions, Pick<IndexOptions, 'embed' | 'signal'> {
  /** Told how many texts are embedded, of those that have to be. */
  readonly onEmbedded?: ((done: number, total: number) => void) | undefined;
}

const analyzer = english;
const nameAnalyzer = namesOf(analyzer);

/** How a search ranks, and as of when. */
export interface AsOfSearchOptions extends Omit<SearchOptions, 'intent'> {
  /** t: only what was available by then is seen, and only its statistics. */
  readonly asOf: Instant;
  /** Whether words such as `latest` or `in 2019` are taken for what they say about time; true by default. */
  readonly interpretTime?: boolean | undefined;
}

const defaultBlockRows = 32_768;

/** Snapshots kept for further queries as of the same instants. */
const snapshotsKept = 8;

/** A workspace that can be searched as of any moment. */
export class SearchableWorkspace {
  /** The asset log beneath. */
  readonly storage: Workspace;
  readonly #indexes = new SegmentIndexes();
  readonly #versions = new VersionCache();
  readonly #models: ModelRegistry;
  readonly #given: Embedder | undefined;
  readonly #cacheFolder: string | undefined;
  readonly #blockRows: number;
  /** The embedder opened here, and the JSON of its specification. */
  #opened: { key: string; embedder: Promise<Embedder> } | undefined;
  #sources: { content: WorkspaceContent; sources: Promise<SearchSources> } | undefined;
  readonly #snapshots = new Map<Instant, Promise<Snapshot>>();

  /** For `openWorkspace`. */
  constructor(storage: Workspace, options: OpenSearchOptions) {
    this.storage = storage;
    this.#models = new ModelRegistry(storage.folder);
    this.#given = options.embedder;
    this.#cacheFolder = options.cacheFolder;
    this.#blockRows = options.blockRows ?? defaultBlockRows;
  }

  /** Where it lies. */
  get folder(): string {
    return this.storage.folder;
  }

  /**
   * D_t, ready to be searched any number of times, until the workspace is changed or goes on to a newer state.
   *
   * @throws InvalidArgumentError when `asOf` is no instant
   */
  async snapshot(asOf: Instant): Promise<Snapshot> {
    const sources = this.#currentSources(await this.storage.content());
    let snapshot = this.#snapshots.get(asOf);
    if (snapshot === undefined) {
      snapshot = (async () => new Snapshot(await sources, await this.storage.stateAt(asOf)))();
      if (this.#snapshots.size === snapshotsKept) this.#snapshots.delete([...this.#snapshots.keys()][0]!);
      this.#snapshots.set(asOf, snapshot);
    }
    return snapshot;
  }

  /**
   * Searches D_t; see `Snapshot.search`. What the query says about time is interpreted, and told in the answer: `as of 2021`
   * answers for an earlier t, and nothing that it says can widen what is eligible.
   */
  async search(query: string, options: AsOfSearchOptions): Promise<SearchAnswer> {
    const { asOf, interpretTime = true, ...rest } = options;
    checkInstant('asOf', asOf);
    if (!interpretTime) return (await this.snapshot(asOf)).search(query, rest);
    const intent = temporalIntent(query, asOf);
    return (await this.snapshot(intent.asOf)).search(query, { ...rest, intent });
  }

  /** Reads files into the log, merges small segments, and indexes what is new; see `Workspace.ingest`. */
  async ingest(
    patterns: readonly string[],
    options: IngestAndIndexOptions,
  ): Promise<IngestReport & { readonly index: BuildReport }> {
    const { embed, signal, onEmbedded, ...rest } = options;
    const report = await this.storage.ingest(patterns, rest);
    return { ...report, index: await this.index({ embed, signal, onProgress: onEmbedded }) };
  }

  /** Merges small segments, and makes the indexes that are missing; a search makes them in memory otherwise. */
  async index(options: IndexOptions = {}): Promise<BuildReport> {
    await this.storage.compact({ carriers });
    const { onProgress, signal } = options;
    const embedding = await this.#embeddingFor(options.embed);
    return buildIndexes(this.storage, { analyzers: [analyzer, nameAnalyzer], embedding, onProgress, signal });
  }

  /** Ends the availability of assets; see `Workspace.withdraw`. */
  withdraw(ids: readonly string[], options: WithdrawOptions): Promise<CommitRecord> {
    return this.storage.withdraw(ids, options);
  }

  /** What an asset said as of t. */
  show(id: string, asOf: Instant): Promise<ShownAsset> {
    return this.storage.show(id, asOf);
  }

  /** What made the vectors of the workspace; undefined where it has none. */
  async embedder(): Promise<EmbedderRecord | undefined> {
    return embedderOf(await this.storage.segments());
  }

  /**
   * Versions of every θ that answers and published topic slices of this workspace name, with what they were made from and
   * when each could first have been used; parents first. The hash that an answer names is a version's `content`.
   */
  async models(): Promise<ModelVersion[]> {
    return workspaceModels(this.folder, this.#models, await this.embedder());
  }

  /** The version whose content or id is a hash; undefined where no answer or slice of this workspace names it. */
  async model(hash: string): Promise<ModelVersion | undefined> {
    return (await this.models()).find(({ id, content }) => content === hash || id === hash);
  }

  /** Goes on to the newest committed state, for a reader that stays open. */
  refresh(): Promise<void> {
    return this.storage.refresh();
  }

  /** Closes the indexes, the embedder that was opened here, and the log beneath. Snapshots are of no use after it. */
  async close(): Promise<void> {
    await this.#indexes.close();
    await (await this.#opened?.embedder)?.close();
    await this.storage.close();
  }

  #currentSources(content: WorkspaceContent): Promise<SearchSources> {
    // The log hands out the same content until something changes.
    if (this.#sources?.content !== content) {
      this.#snapshots.clear();
      this.#sources = { content, sources: this.#makeSources(content) };
    }
    return this.#sources.sources;
  }

  async #makeSources({ segments, idOrder }: WorkspaceContent): Promise<SearchSources> {
    const firstRows = firstRowsOf(segments.map(({ size }) => size));
    const embedderRecord = await embedderOf(segments);
    await this.#indexes.keepOnly(segments);
    let approximate: Promise<ApproximateBlocks> | undefined;
    return {
      segments,
      firstRows,
      idOrder,
      indexes: this.#indexes,
      versions: this.#versions,
      models: this.#models,
      analyzer,
      nameAnalyzer,
      embedderRecord,
      blockRows: this.#blockRows,
      approximate: () => {
        approximate ??= this.#makeBlocks(segments, firstRows, idOrder, embedderRecord);
        return approximate;
      },
      embedder: () => this.#open(embedderRecord),
    };
  }

  async #makeBlocks(
    segments: readonly SegmentRows[],
    firstRows: readonly number[],
    idOrder: Uint32Array,
    embedder: EmbedderRecord | undefined,
  ): Promise<ApproximateBlocks> {
    const indexes: (DenseIndex | undefined)[] = [];
    for (const segment of segments) indexes.push(await this.#indexes.dense(segment));
    const folder = path.join(this.folder, 'approximate');
    const embedderHash = embedder?.hash ?? '';
    return new ApproximateBlocks({
      ...{ segments, firstRows, indexes, idOrder, embedderHash, folder },
      blockRows: this.#blockRows,
    });
  }

  async #embeddingFor(embed: IndexOptions['embed']) {
    if (embed === false) return undefined;
    const recorded = await this.embedder();
    if (embed === undefined) {
      if (recorded === undefined) return undefined;
      return { embedder: await this.#open(recorded), record: recorded };
    }
    if (embed === true && this.#given !== undefined) {
      return { embedder: this.#given, record: recordOf(this.#given, null) };
    }
    const spec = embed === true ? (recorded?.spec ?? checkEmbedderSpec({ kind: 'minilm' }, 'embed')) : embed;
    const embedder = await this.#openSpec(spec);
    return { embedder, record: recordOf(embedder, spec) };
  }

  async #open(record: EmbedderRecord | undefined): Promise<Embedder> {
    if (this.#given !== undefined && this.#given.hash === record?.hash) return this.#given;
    if (record?.spec == null) {
      throw new InvalidArgumentError({
        argument: 'embedder',
        value: this.#given?.id,
        expected: `the embedder that the workspace was embedded with (${record?.id})`,
      });
    }
    const embedder = await this.#openSpec(record.spec);
    if (embedder.hash === record.hash) return embedder;
    throw new InvalidArgumentError({
      argument: 'embedder',
      value: `${embedder.id}, hash ${embedder.hash}`,
      expected: `the one that the workspace was embedded with, hash ${record.hash}; or embed it again`,
    });
  }

  async #openSpec(spec: EmbedderSpec): Promise<Embedder> {
    const key = JSON.stringify(spec);
    if (this.#opened?.key !== key) {
      await (await this.#opened?.embedder)?.close();
      this.#opened = { key, embedder: openEmbedder(spec, this.#cacheFolder) };
    }
    return this.#opened.embedder;
  }
}

/** Opens a workspace to search, and to write unless `readOnly`; see `openWorkspace` of the log for what it throws. */
export async function openWorkspace(folder: string, options: OpenSearchOptions = {}): Promise<SearchableWorkspace> {
  const { readOnly, log } = options;
  return new SearchableWorkspace(await openLog(folder, { readOnly, log }), options);
}
