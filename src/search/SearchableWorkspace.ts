import type { Embedder } from '../embedding/Embedder.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import type { EmbedderSpec } from '../replay/experiment.js';
import { openEmbedder } from '../replay/openEmbedder.js';
import type { Analyzer } from '../retrieval/analysis/Analyzer.js';
import { english } from '../retrieval/analysis/english.js';
import type { IngestOptions, IngestReport } from '../store/workspace/ingest.js';
import { type OpenOptions, openWorkspace as openLog } from '../store/workspace/openWorkspace.js';
import type { SegmentRows } from '../store/workspace/segmentRows.js';
import type { CommitRecord } from '../store/workspace/state.js';
import type { ShownAsset, Workspace } from '../store/workspace/Workspace.js';
import type { WithdrawOptions } from '../store/workspace/withdraw.js';
import type { Instant } from '../time/instant.js';
import type { SearchAnswer } from './answer.js';
import { type BuildReport, buildIndexes } from './buildIndexes.js';
import { carriers } from './carryVectors.js';
import { type EmbedderRecord, recordOf } from './embedderRecord.js';
import { embedderOf, idOrderOf, SegmentIndexes } from './SegmentIndexes.js';
import { type SearchSources, Snapshot } from './Snapshot.js';
import type { SearchOptions } from './settings.js';

export interface OpenSearchOptions extends OpenOptions {
  /** An embedder that the caller brings; without, the one that the workspace was embedded with is opened when needed. */
  readonly embedder?: Embedder | undefined;
  /** Folder of models and of embeddings made before; asof's folder in the user's cache by default. */
  readonly cacheFolder?: string | undefined;
}

export interface IndexOptions {
  /**
   * Embeds the texts by this model, from now on; `true` for the embedder that the caller brought, or all-MiniLM-L6-v2.
   * Absent: by the model that the workspace was embedded with, if any.
   */
  readonly embed?: EmbedderSpec | boolean | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface IngestAndIndexOptions extends IngestOptions, Pick<IndexOptions, 'embed' | 'signal'> {
  /** Told how many texts are embedded, of those that have to be. */
  readonly onEmbedded?: ((done: number, total: number) => void) | undefined;
}

/** Snapshots kept for further queries as of the same instants. */
const snapshotsKept = 8;

/** A workspace that can be searched as of any moment. */
export class SearchableWorkspace {
  /** The asset log beneath. */
  readonly log: Workspace;
  readonly #analyzer: Analyzer = english;
  readonly #indexes = new SegmentIndexes(this.#analyzer);
  readonly #given: Embedder | undefined;
  readonly #cacheFolder: string | undefined;
  /** The embedder opened here, and the JSON of its specification. */
  #opened: { key: string; embedder: Promise<Embedder> } | undefined;
  #sources: { segments: readonly SegmentRows[]; sources: Promise<SearchSources> } | undefined;
  readonly #snapshots = new Map<Instant, Promise<Snapshot>>();

  /** For `openWorkspace`. */
  constructor(log: Workspace, options: OpenSearchOptions) {
    this.log = log;
    this.#given = options.embedder;
    this.#cacheFolder = options.cacheFolder;
  }

  get folder(): string {
    return this.log.folder;
  }

  /**
   * D_t, ready to be searched any number of times, until the workspace is changed or goes on to a newer state.
   *
   * @throws InvalidArgumentError when `asOf` is no instant
   */
  async snapshot(asOf: Instant): Promise<Snapshot> {
    const sources = this.#currentSources(await this.log.segments());
    let snapshot = this.#snapshots.get(asOf);
    if (snapshot === undefined) {
      snapshot = (async () => new Snapshot(await sources, await this.log.stateAt(asOf)))();
      if (this.#snapshots.size === snapshotsKept) this.#snapshots.delete([...this.#snapshots.keys()][0]!);
      this.#snapshots.set(asOf, snapshot);
    }
    return snapshot;
  }

  /**
   * Searches D_t; see `Snapshot.search`.
   *
   * @param options.asOf t: only what was available by then is seen, and only its statistics
   */
  async search(query: string, options: SearchOptions & { readonly asOf: Instant }): Promise<SearchAnswer> {
    return (await this.snapshot(options.asOf)).search(query, options);
  }

  /** Reads files into the log, merges small segments, and indexes what is new; see `Workspace.ingest`. */
  async ingest(
    patterns: readonly string[],
    options: IngestAndIndexOptions,
  ): Promise<IngestReport & { readonly index: BuildReport }> {
    const { embed, signal, onEmbedded, ...rest } = options;
    const report = await this.log.ingest(patterns, rest);
    return { ...report, index: await this.index({ embed, signal, onProgress: onEmbedded }) };
  }

  /** Merges small segments, and makes the indexes that are missing; a search makes them in memory otherwise. */
  async index(options: IndexOptions = {}): Promise<BuildReport> {
    await this.log.compact({ carriers });
    const { onProgress, signal } = options;
    const embedding = await this.#embeddingFor(options.embed);
    return buildIndexes(this.log, { analyzer: this.#analyzer, embedding, onProgress, signal });
  }

  /** Ends the availability of assets; see `Workspace.withdraw`. */
  withdraw(ids: readonly string[], options: WithdrawOptions): Promise<CommitRecord> {
    return this.log.withdraw(ids, options);
  }

  /** What an asset said as of t. */
  show(id: string, asOf: Instant): Promise<ShownAsset> {
    return this.log.show(id, asOf);
  }

  /** What made the vectors of the workspace; undefined where it has none. */
  async embedder(): Promise<EmbedderRecord | undefined> {
    return embedderOf(await this.log.segments());
  }

  /** Goes on to the newest committed state, for a reader that stays open. */
  refresh(): Promise<void> {
    return this.log.refresh();
  }

  async close(): Promise<void> {
    await this.#indexes.close();
    await (await this.#opened?.embedder)?.close();
    await this.log.close();
  }

  #currentSources(segments: readonly SegmentRows[]): Promise<SearchSources> {
    // The log hands out the same list until something changes.
    if (this.#sources?.segments !== segments) {
      this.#snapshots.clear();
      this.#sources = { segments, sources: this.#makeSources(segments) };
    }
    return this.#sources.sources;
  }

  async #makeSources(segments: readonly SegmentRows[]): Promise<SearchSources> {
    const firstRows: number[] = [];
    let rows = 0;
    for (const { size } of segments) {
      firstRows.push(rows);
      rows += size;
    }
    const embedderRecord = await embedderOf(segments);
    await this.#indexes.keepOnly(segments);
    return {
      segments,
      firstRows,
      idOrder: idOrderOf(segments.flatMap(({ ids }) => ids)),
      indexes: this.#indexes,
      analyzer: this.#analyzer,
      embedderRecord,
      embedder: () => this.#open(embedderRecord),
    };
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
    const spec: EmbedderSpec = embed === true ? (recorded?.spec ?? { kind: 'minilm', precision: 'float32' }) : embed;
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
