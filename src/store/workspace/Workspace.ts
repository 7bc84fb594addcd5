import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { type LogCommitment, MerkleAccumulator } from '../../commitment/merkleTree.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Instant } from '../../time/instant.js';
import type { AssetVersion, DatedVersion } from './assetVersion.js';
import { checkInstant } from './checkInstant.js';
import { chooseSegments, type DerivedCarrier, mergeSegments } from './compact.js';
import { type DerivedRequest, withDerived, writeDerivedFile } from './derivedFiles.js';
import { type ExportOptions, type ExportTarget, exportVersions } from './exportVersions.js';
import { readVersions, versionAsOf } from './history.js';
import { type IngestOptions, type IngestReport, ingestFiles, type WriterContext } from './ingest.js';
import { LoadedSegments } from './LoadedSegments.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import type { OperationScope } from './operations.js';
import { publishState, readState, workspaceFormatVersion } from './pointerFile.js';
import { ReadDatabase } from './ReadDatabase.js';
import type { ReaderLease } from './readerLease.js';
import { type SegmentRows, segmentRows } from './segmentRows.js';
import { type CommitRecord, logSize, type WorkspaceState } from './state.js';
import { type StateCommitment, StateCommitments } from './stateCommitments.js';
import { readStatus, type WorkspaceStatus } from './status.js';
import { sweep } from './sweep.js';
import { explainFailedRead, verifyWorkspace } from './verify.js';
import { type WithdrawOptions, withdrawAssets } from './withdraw.js';

/** Answer to "what did this asset say as of t?" */
export interface ShownAsset {
  readonly id: string;
  /** The version that was current; undefined when none was. */
  readonly version: AssetVersion | undefined;
  /** Identity of the corpus as of t. */
  readonly state: StateCommitment;
}

/** The rows of a log in memory. */
export interface WorkspaceContent {
  /** The segments that hold rows, in the order of their ids. */
  readonly segments: readonly SegmentRows[];
  /** [rows of all segments] rank of each row's id in code-unit order; equal ids have consecutive ranks. */
  readonly idOrder: Uint32Array;
}

/** A workspace on disk: an append-only log of asset operations, in segments (temporal-layer.md, section 1). */
export class Workspace {
  readonly folder: string;
  readonly #lease: ReaderLease | undefined;
  readonly #releaseLock: (() => void) | undefined;
  readonly #pin: number | undefined;
  #state: WorkspaceState;
  readonly #reads = new ReadDatabase();
  /** What was loaded last, for the state in force or one before. */
  #loaded: LoadedSegments | undefined;
  #content: Promise<WorkspaceContent> | undefined;
  #commitments: { last: StateCommitments | undefined; current: Promise<StateCommitments> | undefined } = {
    last: undefined,
    current: undefined,
  };
  /** The last change that was asked for: changes are made one after the other. */
  #lastChange: Promise<unknown> = Promise.resolve();

  /** For `openWorkspace`. */
  constructor(
    folder: string,
    state: WorkspaceState,
    holds: { lease?: ReaderLease; releaseLock?: () => void; pin?: number | undefined },
  ) {
    this.folder = folder;
    this.#state = state;
    this.#lease = holds.lease;
    this.#releaseLock = holds.releaseLock;
    this.#pin = holds.pin;
  }

  /** Whether it was opened for reading alone, so that others may write. */
  get isReadOnly(): boolean {
    return this.#releaseLock === undefined;
  }

  /**
   * What the catalog in force says.
   *
   * @internal
   */
  get state(): WorkspaceState {
    return this.#state;
  }

  /** Commitment to the log: it names a snapshot that a reader can be pinned to. */
  get log(): LogCommitment {
    const pinned = this.#state.commits.find(({ size }) => size === this.#pin);
    if (pinned !== undefined) return { size: pinned.size, root: pinned.root };
    return MerkleAccumulator.resume(this.#pin === 0 ? [] : this.#state.logEdge).commitment();
  }

  /**
   * The segments that hold rows, in the order of their ids. What was handed out never changes; ask again after a change.
   *
   * @internal
   */
  async segments(): Promise<readonly SegmentRows[]> {
    return (await this.content()).segments;
  }

  /**
   * `segments`, and the order of their rows' ids.
   *
   * @internal
   */
  content(): Promise<WorkspaceContent> {
    this.#content ??= this.#read(() => this.#loadContent());
    return this.#content;
  }

  /** Identity of the corpus as of t; see `StateCommitments`. */
  async stateAt(t: Instant): Promise<StateCommitment> {
    checkInstant('asOf', t);
    const commitments = this.#commitments;
    commitments.current ??= this.#read(async () => {
      commitments.last = await this.#reads.use((database) =>
        StateCommitments.load(database, this.#scope, commitments.last),
      );
      return commitments.last;
    });
    return (await commitments.current).at(t);
  }

  /** What an asset said as of t; the same for ever, unless a late arrival changes what was available by t. */
  async show(id: string, asOf: Instant): Promise<ShownAsset> {
    checkInstant('asOf', asOf);
    const current = versionAsOf(await this.versions(id), asOf);
    let version: AssetVersion | undefined;
    if (current !== undefined) {
      // When it ends was not known as of t.
      const { endsAt: _endsAt, endedBy: _endedBy, ...known } = current;
      version = known;
    }
    return { id, version, state: await this.stateAt(asOf) };
  }

  /** All versions of an asset, in the order in which they were current. */
  async versions(id: string): Promise<DatedVersion[]> {
    return this.#read(() => this.#reads.use(({ connection }) => readVersions(connection, this.#scope, id)));
  }

  /**
   * Counts what the workspace holds, and how it came there.
   *
   * @param asOf the instant whose current assets are counted
   * @throws InvalidArgumentError when it is no instant
   */
  async status(asOf: Instant): Promise<WorkspaceStatus> {
    checkInstant('asOf', asOf);
    return this.#read(() =>
      this.#reads.use(({ connection }) =>
        readStatus(connection, this.#scope, this.#state, this.log, workspaceFormatVersion, asOf),
      ),
    );
  }

  /**
   * Writes what was current as of an instant, or every version until then, to a file or a stream.
   *
   * @returns the number of versions written
   */
  async export(options: ExportOptions, target: ExportTarget): Promise<number> {
    checkInstant('asOf', options.asOf);
    return this.#read(() => exportVersions(this.#scope, options, target));
  }

  /** Checks every file and commitment; see `verifyWorkspace`. */
  async verify(): Promise<void> {
    await this.#reads.use(({ connection }) => verifyWorkspace(this.folder, this.#state, connection));
  }

  /**
   * Reads files into the log; see `ingestFiles`.
   *
   * @param patterns paths and glob patterns; `-` is standard input
   */
  ingest(patterns: readonly string[], options: IngestOptions): Promise<IngestReport> {
    return this.#change(() => ingestFiles(this.#writer, patterns, options));
  }

  /** Ends the availability of assets; see `withdrawAssets`. */
  withdraw(ids: readonly string[], options: WithdrawOptions): Promise<CommitRecord> {
    const isCurrent = async (id: string, t: Instant) => versionAsOf(await this.versions(id), t) !== undefined;
    return this.#change(() => withdrawAssets(this.#writer, ids, options, isCurrent));
  }

  /**
   * Computes files from segments and registers them, all in one commit; a crash before it leaves nothing.
   *
   * @internal
   */
  addDerivedFiles(requests: readonly DerivedRequest[]): Promise<void> {
    return this.#change(async () => {
      for (const { segment } of requests) {
        if (this.#state.segments.some(({ id }) => id === segment)) continue;
        throw new InvalidArgumentError({ argument: 'segment', value: segment, expected: 'the id of a segment' });
      }
      await this.#withScratch(async (scratch) => {
        const records = [];
        for (const request of requests) records.push(await writeDerivedFile(this.folder, request, scratch));
        await this.#publish(withDerived(this.#state, records));
      });
    });
  }

  /**
   * Merges the smallest segments when there are more than `limit`; no answer changes. See `mergeSegments`.
   *
   * @param options.carriers by name of derived file
   * @returns how many segments were merged
   * @internal
   */
  compact(options: { limit?: number; carriers?: ReadonlyMap<string, DerivedCarrier> } = {}): Promise<number> {
    const { limit = 16, carriers = new Map() } = options;
    return this.#change(async () => {
      const parts = chooseSegments(this.#state.segments, limit);
      if (parts.length < 2) return 0;
      await this.#withScratch(async (scratch) => {
        await this.#publish(await mergeSegments(this.folder, this.#state, parts, carriers, scratch));
      });
      this.#state = await sweep(this.folder, this.#state);
      return parts.length;
    });
  }

  /** Goes on to the newest committed state, for a reader that stays open. */
  async refresh(): Promise<void> {
    if (!this.isReadOnly) return;
    const state = await readState(this.folder);
    if (state.generation === this.#state.generation) return;
    this.#take(state);
    await this.#lease?.update(state.generation);
  }

  /** Waits for the change and the reads that are under way, then gives up the lock and closes the files. */
  async close(): Promise<void> {
    await this.#lastChange.catch(() => undefined);
    await this.#reads.close();
    this.#releaseLock?.();
    await this.#lease?.release();
  }

  /** Names the damaged file, where a read fails for one. */
  async #read<T>(use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (failure) {
      throw await explainFailedRead(this.folder, this.#state, failure);
    }
  }

  async #publish(state: WorkspaceState): Promise<void> {
    await this.#reads.use((database) => publishState(this.folder, state, database));
    this.#take(state);
  }

  #take(state: WorkspaceState): void {
    this.#state = state;
    this.#content = undefined;
    this.#commitments = { last: this.#commitments.last, current: undefined };
  }

  get #writer(): WriterContext {
    const state = () => this.#state;
    return {
      folder: this.folder,
      get state() {
        return state();
      },
      publish: (next) => this.#publish(next),
    };
  }

  get #scope(): OperationScope {
    return { folder: this.folder, segments: this.#state.segments, size: this.#pin ?? logSize(this.#state) };
  }

  async #loadContent(): Promise<WorkspaceContent> {
    const { segments, derived } = this.#state;
    const loaded = await this.#reads.use((database) => LoadedSegments.load(database, this.#scope, this.#loaded));
    this.#loaded = loaded;
    const withRows = segments.filter(({ rows }) => rows > 0).sort((a, b) => a.id - b.id);
    return {
      segments: withRows.map((segment) =>
        segmentRows(this.folder, segment, loaded.columnsOf(segment), derived, this.#reads),
      ),
      idOrder: loaded.order.ranks,
    };
  }

  #change<T>(make: () => Promise<T>): Promise<T> {
    if (this.isReadOnly) {
      throw new InvalidArgumentError({ argument: 'readOnly', value: true, expected: 'a workspace opened for writing' });
    }
    const change = this.#lastChange.catch(() => undefined).then(() => this.#read(make));
    this.#lastChange = change;
    return change;
  }

  async #withScratch(use: (folder: string) => Promise<void>): Promise<void> {
    const scratch = inWorkspace(this.folder, `${workspaceLayout.staging}/${randomUUID()}`);
    await mkdir(scratch, { recursive: true });
    try {
      await use(scratch);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
}
