import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DomainArtefacts,
  type RunArtefacts,
  type ShardNames,
  type StoredProofs,
  type StoredStream,
  type StreamNames,
  streamKey,
} from '../../audit/contract/artefacts.js';
import { type Manifest, parseManifest } from '../../audit/manifest.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import type { Experiment } from '../../replay/experiment.js';
import { checkExperiment } from '../../replay/readExperiment.js';
import type { RowTable } from '../../replay/rowTable.js';
import type { RankedBlock } from '../../retrieval/ranking.js';
import { digestOf } from './digestOf.js';
import { readAssets, readBase, readProofs, readRequests, readStream } from './domainFiles.js';
import { distinctNames } from './inputNames.js';
import { type InputPaths, inputFile } from './inputPaths.js';
import { inRun, runFiles, runLayout } from './layout.js';
import { readRows, readShardRuns, writeJsonLines } from './rowsFile.js';

/** Reads a complete run folder. */
export class RunReader implements RunArtefacts {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly experiment: Experiment;

  private constructor(folder: string, manifest: Manifest) {
    this.folder = folder;
    this.manifest = manifest;
    this.experiment = experimentOf(manifest, inRun(folder, runLayout.manifest));
  }

  /**
   * @throws MissingResourceError when there is no run, or an unfinished one
   * @throws ForeignFileError when the manifest is not one
   */
  static async open(folder: string): Promise<RunReader> {
    const file = inRun(folder, runLayout.manifest);
    if (!existsSync(file)) {
      const unfinished = existsSync(inRun(folder, runLayout.partial));
      throw new MissingResourceError({
        resource: file,
        remedy: unfinished
          ? 'the run is unfinished; give the same replay command again to finish it'
          : 'name the folder that asof replay wrote',
      });
    }
    return new RunReader(folder, parseManifest(await readFile(file, 'utf8'), file));
  }

  /**
   * A run whose manifest is not written yet.
   *
   * @internal
   */
  static of(folder: string, manifest: Manifest): RunReader {
    return new RunReader(folder, manifest);
  }

  /** @internal */
  files(): readonly string[] {
    return runFiles(this.manifest.domains, existsSync(inRun(this.folder, runLayout.rowsJsonl)));
  }

  /** @internal */
  async *digests(): AsyncGenerator<{ path: string; sha256: string | null }> {
    for (const { path } of this.manifest.artefacts) yield { path, sha256: await digestOf(inRun(this.folder, path)) };
  }

  /** @internal */
  async *inputDigests(): AsyncGenerator<{ domain: string; name: string; sha256: string | null }> {
    const paths = this.manifest.recorded.inputs as InputPaths | undefined;
    for (const domain of this.manifest.domains) {
      const distinct = distinctNames(domain.inputs);
      for (const { name } of domain.inputs) {
        const kept = distinct.has(name) ? paths?.[domain.name]?.[name] : undefined;
        const sha256 = kept === undefined ? null : await digestOf(inputFile(this.folder, kept));
        yield { domain: domain.name, name, sha256 };
      }
    }
  }

  /** @internal */
  async domain(name: string): Promise<DomainArtefacts> {
    const recorded = this.manifest.domains.find((domain) => domain.name === name)!;
    const [assets, requests] = await Promise.all([
      readAssets(this.#existing(runLayout.assets(name))),
      readRequests(this.#existing(runLayout.requests(name)), recorded.similarity.vectors),
    ]);
    const bases = new Map<string, RankedBlock>();
    for (const { label } of recorded.retrievers) {
      bases.set(label, await readBase(this.#existing(runLayout.base(name, label)), this.experiment.baseDepth));
    }
    const streams = new Map<string, StoredStream>();
    const proofs = new Map<string, StoredProofs>();
    for (const { label, seed } of recorded.streams) {
      streams.set(streamKey(label, seed), await readStream(this.#existing(runLayout.stream(name, label, seed))));
      proofs.set(streamKey(label, seed), await this.proofs({ domain: name, stream: label, seed }));
    }
    return { assets, ...requests, bases, streams, proofs };
  }

  /**
   * The stored proofs of a stream.
   *
   * @internal
   */
  proofs({ domain, stream, seed }: StreamNames): Promise<StoredProofs> {
    return readProofs(this.#existing(runLayout.proofs(domain, stream, seed)));
  }

  /** @internal */
  shardRuns(): AsyncGenerator<ShardNames & { rows: number }> {
    return readShardRuns(this.#existing(runLayout.rows));
  }

  /** @internal */
  rows({ domain, stream, seed }: StreamNames): AsyncGenerator<RowTable> {
    return readRows(this.#existing(runLayout.rows), this.manifest.metrics, { domain, stream, seed });
  }

  /** @internal */
  async effectsCsv(): Promise<string> {
    return readFile(this.#existing(runLayout.effectsCsv), 'utf8');
  }

  /** @internal */
  async jsonLinesDigest(): Promise<string | null> {
    if (!this.manifest.artefacts.some(({ path }) => path === runLayout.rowsJsonl)) return null;
    const folder = await mkdtemp(join(tmpdir(), 'asof-audit-'));
    try {
      const file = join(folder, runLayout.rowsJsonl);
      await writeJsonLines(this.#existing(runLayout.rows), file);
      return await digestOf(file);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  /** @internal */
  async effects(): Promise<unknown> {
    const file = this.#existing(runLayout.effectsJson);
    try {
      return JSON.parse(await readFile(file, 'utf8'));
    } catch (cause) {
      throw new ForeignFileError({ file, reason: 'not JSON: truncated or of another kind', cause });
    }
  }

  #existing(relative: string): string {
    const file = inRun(this.folder, relative);
    if (!existsSync(file))
      throw new MissingResourceError({ resource: file, remedy: 'restore it, or run the replay again' });
    return file;
  }
}

/** The experiment as the manifest keeps it: without the paths of its inputs. */
function experimentOf(manifest: Manifest, file: string): Experiment {
  const datasets = (manifest.experiment.datasets as object[]).map((dataset) => ({
    ...dataset,
    path: 'recorded elsewhere',
  }));
  return checkExperiment({ ...manifest.experiment, datasets }, file);
}
