import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { copyQuery } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { writeParquet } from '../../columnar/writeParquet.js';
import { ExistingFileError } from '../../errors/ExistingFileError.js';
import { readIfPresent, writeFileAtomically } from '../../files/atomicFile.js';
import type { PreparedDomain, ReplayDomain } from '../../replay/domain/domain.js';
import type { RowBatch } from '../../replay/rows/rowBatch.js';
import type { PlannedStream, RunSink } from '../../replay/runSink.js';
import { lockFiles, takeFolderLock } from '../folderLock.js';
import { writeAssets, writeBase, writeProofs, writeRequests, writeStream } from './domainFiles.js';
import { inRun, runFileFormat, runLayout } from './layout.js';
import { rowColumns, writeJsonLines } from './rowsFile.js';

export interface RunFolderOptions {
  readonly folder: string;
  readonly runId: string;
  /** Keep hashes of request texts instead of the texts. */
  readonly redact?: boolean;
  /** Remove a complete or foreign run that is in the way. */
  readonly force?: boolean;
}

/**
 * A run folder while it is written. Rows of each stream go into a file of their own under `.partial`; when all are there
 * they become `rows.parquet`. An interrupted run of the same experiment is taken up where it stopped: a run folder
 * without a manifest is unfinished.
 */
export class RunFolder implements RunSink {
  readonly folder: string;
  readonly #runId: string;
  readonly #redact: boolean;
  /** Files of rows in the order of the run. */
  readonly #parts: string[] = [];

  private constructor({ folder, runId, redact = false }: RunFolderOptions) {
    this.folder = folder;
    this.#runId = runId;
    this.#redact = redact;
  }

  /**
   * Takes the folder for this process, until the run is finished or the process ends.
   *
   * @throws ExistingFileError when the folder holds anything but an unfinished run of the same experiment
   * @throws FolderLockedError when another process writes a run there
   */
  static async open(options: RunFolderOptions): Promise<RunFolder> {
    const { folder, runId } = options;
    await checkWayIsFree(options);
    const partial = inRun(folder, runLayout.partial);
    await mkdir(partial, { recursive: true });
    const key = await realpath(partial);
    // A run of this process that failed has not given its lock back.
    release(key);
    locks.set(key, await takeFolderLock(folder, { place: partial }));
    try {
      // Again: it may have changed until the lock was there.
      if ((await checkWayIsFree(options)) === 'old run') await empty(folder);
      await writeFileAtomically(inRun(folder, identityFile), runId);
      return new RunFolder(options);
    } catch (error) {
      release(key);
      throw error;
    }
  }

  hasRows(domain: ReplayDomain, stream: PlannedStream): boolean {
    return existsSync(this.#partOf(domain, stream));
  }

  async writeDomain(domain: PreparedDomain): Promise<void> {
    const files = [runLayout.assets(domain.name), runLayout.requests(domain.name)] as const;
    await mkdir(path.dirname(inRun(this.folder, files[0])), { recursive: true });
    await writeAssets(inRun(this.folder, files[0]), domain);
    await writeRequests(inRun(this.folder, files[1]), domain, this.#redact);
    for (const retriever of domain.retrievers) {
      await writeBase(inRun(this.folder, runLayout.base(domain.name, retriever.label)), retriever);
    }
  }

  /** Takes the files of a domain over from another run of it, as they are. */
  async adoptDomain(run: string, domain: ReplayDomain): Promise<void> {
    for (const file of runLayout.ofDomain(domain)) {
      await mkdir(path.dirname(inRun(this.folder, file)), { recursive: true });
      await copyFile(inRun(run, file), inRun(this.folder, file));
    }
  }

  async writeStream(domain: ReplayDomain, stream: PlannedStream): Promise<void> {
    await writeStream(inRun(this.folder, runLayout.stream(domain.name, stream.label, stream.stream.seed)), stream);
    this.#parts.push(this.#partOf(domain, stream));
  }

  async writeRows(domain: ReplayDomain, stream: PlannedStream, batches: readonly RowBatch[]): Promise<void> {
    await writeProofs(
      inRun(this.folder, runLayout.proofs(domain.name, stream.label, stream.stream.seed)),
      stream,
      batches,
    );
    const part = this.#partOf(domain, stream);
    const files: string[] = [];
    for (const [index, batch] of batches.entries()) {
      const file = `${part}.${index}`;
      const context = {
        runId: this.#runId,
        requestIds: domain.requests.ids,
        order: stream.log.requestAt,
        streamUsesGold: stream.stream.usesGold,
        mechanismUsesGold: batch.mechanismUsesGold,
      };
      await writeParquet(file, batch.size, rowColumns(batch, context), runFileFormat);
      files.push(file);
    }
    await concatenate(files, part);
    for (const file of files) await rm(file);
  }

  /** Makes `rows.parquet` (and `rows.jsonl`) of the parts. */
  async finishRows(options: { jsonl: boolean }): Promise<void> {
    const rows = inRun(this.folder, runLayout.rows);
    await concatenate(this.#parts, rows);
    const jsonl = inRun(this.folder, runLayout.rowsJsonl);
    if (options.jsonl) await writeJsonLines(rows, jsonl);
    else await rm(jsonl, { force: true });
  }

  async writeText(relative: string, text: string): Promise<void> {
    await writeFileAtomically(inRun(this.folder, relative), text);
  }

  /** Writes the manifest, which makes the run complete, and drops the parts. */
  async finish(manifest: string): Promise<void> {
    await this.writeText(runLayout.manifest, manifest);
    const partial = inRun(this.folder, runLayout.partial);
    const key = await realpath(partial);
    await emptyPartial(partial);
    release(key);
    await rm(partial, { recursive: true, force: true });
  }

  #partOf(domain: ReplayDomain, stream: PlannedStream): string {
    return inRun(this.folder, runLayout.partialRows(domain.name, stream.label, stream.stream.seed));
  }
}

/** Locks that this process holds, by the real path of the folder of parts. */
const locks = new Map<string, () => void>();

function release(key: string): void {
  locks.get(key)?.();
  locks.delete(key);
}

/** Which run the parts belong to. */
const identityFile = `${runLayout.partial}/run-id`;

/**
 * @returns `old run` when the folder holds one that is to be removed
 * @throws ExistingFileError for what is not to be removed
 */
async function checkWayIsFree({ folder, runId, force = false }: RunFolderOptions): Promise<'old run' | 'free'> {
  const isSame = (await readIfPresent(inRun(folder, identityFile)))?.toString() === runId;
  if (isSame) return 'free';
  const parts = (await namesIn(inRun(folder, runLayout.partial))).filter((name) => !lockFiles.includes(name));
  const names = (await namesIn(folder)).filter((name) => name !== runLayout.partial);
  if (names.length === 0 && parts.length === 0) return 'free';
  const isRun = names.includes(runLayout.manifest) || parts.length > 0;
  if (!isRun) throw new ExistingFileError({ file: folder, remedy: 'it holds other files; choose another folder' });
  if (!force) {
    throw new ExistingFileError({ file: folder, remedy: 'choose another folder, or --force to replace this run' });
  }
  return 'old run';
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** Removes all but the lock. */
async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name !== runLayout.partial) await rm(path.join(folder, name), { recursive: true });
  }
  await emptyPartial(inRun(folder, runLayout.partial));
}

async function emptyPartial(partial: string): Promise<void> {
  for (const name of await readdir(partial)) {
    if (!lockFiles.includes(name)) await rm(path.join(partial, name), { recursive: true });
  }
}

/** Joins Parquet files of the same columns into one, in order. */
async function concatenate(files: readonly string[], target: string): Promise<void> {
  if (files.length === 1) {
    await copyFile(files[0]!, `${target}.partial`);
    await rename(`${target}.partial`, target);
    return;
  }
  await copyQuery(`FROM read_parquet([${files.map(quotePath).join(', ')}])`, target, runFileFormat);
}
