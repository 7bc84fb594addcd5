import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import type { Report } from '../../report/report.js';
import { inRun, runLayout } from '../../store/runs/layout.js';
import { RunReader } from '../../store/runs/RunReader.js';
import { RunRows } from '../../store/runs/RunRows.js';
import { readRunReport } from '../../store/runs/readRunReport.js';

interface Kept<T> {
  readonly stamp: string;
  readonly value: Promise<T>;
}

/**
 * The finished runs in some folders, by name: a folder that is a run, or each run in it. Runs may come and go while the
 * server is up; what was read of a run is kept until its manifest changes.
 */
export class RunLibrary {
  readonly rows: RunRows;
  readonly #folders: readonly string[];
  readonly #readers = new Map<string, Kept<RunReader>>();
  readonly #reports = new Map<string, Kept<Report>>();

  private constructor(folders: readonly string[], rows: RunRows) {
    this.#folders = folders;
    this.rows = rows;
  }

  static async open(folders: readonly string[]): Promise<RunLibrary> {
    return new RunLibrary(folders, await RunRows.open());
  }

  /** Names of the runs in code-unit order; of two runs with one name the first folder's is meant. */
  async names(): Promise<string[]> {
    return [...(await this.#all()).keys()].sort(compareCodeUnits);
  }

  /** @throws MissingResourceError when there is no such run */
  async folderOf(name: string): Promise<string> {
    const folder = (await this.#all()).get(name);
    if (folder !== undefined) return folder;
    throw new MissingResourceError({
      resource: `run ${JSON.stringify(name)}`,
      remedy: 'GET /v1/runs names those there are',
    });
  }

  async reader(name: string): Promise<RunReader> {
    return this.#kept(this.#readers, await this.folderOf(name), (folder) => RunReader.open(folder));
  }

  /** @throws ContractViolationError when manifest or effects were changed after the run */
  async report(name: string): Promise<Report> {
    return this.#kept(this.#reports, await this.folderOf(name), (folder) => readRunReport(folder));
  }

  close(): Promise<void> {
    return this.rows.close();
  }

  async #all(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const add = (folder: string) => {
      const name = path.basename(path.resolve(folder));
      if (existsSync(inRun(folder, runLayout.manifest)) && !found.has(name)) found.set(name, folder);
    };
    for (const folder of this.#folders) {
      add(folder);
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) if (entry.isDirectory()) add(path.join(folder, entry.name));
    }
    return found;
  }

  async #kept<T>(cache: Map<string, Kept<T>>, folder: string, read: (folder: string) => Promise<T>): Promise<T> {
    const { mtimeMs, size } = await stat(inRun(folder, runLayout.manifest));
    const stamp = `${mtimeMs}/${size}`;
    let kept = cache.get(folder);
    if (kept?.stamp !== stamp) {
      kept = { stamp, value: read(folder) };
      cache.set(folder, kept);
      kept.value.catch(() => cache.delete(folder));
    }
    return kept.value;
  }
}
