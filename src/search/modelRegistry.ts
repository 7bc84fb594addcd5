import { stat } from 'node:fs/promises';
import { canonicalJson } from '../commitment/canonicalJson.js';
import { sha256Hex } from '../commitment/sha256.js';
import { EnvironmentFaultError } from '../errors/EnvironmentFaultError.js';
import { ForeignFileError } from '../errors/ForeignFileError.js';
import { namesIfPresent, readIfPresent, writeFileAtomically } from '../files/atomicFile.js';
import { environmentFault } from '../files/environmentFault.js';
import { type ModelVersion, newModelVersion } from '../lineage/modelVersion.js';
import { anchoredStatistics, embedderVersion } from '../replay/domain/models.js';
import { inWorkspace, workspaceLayout } from '../store/workspace/layout.js';
import type { ModelState } from './answer.js';

const filePattern = /^([0-9a-f]{64})\.json$/;

/**
 * The θ that answers of a workspace named, each in a file whose name is its hash and whose bytes have that hash: the canonical
 * JSON of its parameters. Written at the first answer, by readers of a workspace as well: what a file says depends on its
 * name alone, so nothing has to be locked, and two who write one write the same.
 */
export class ModelRegistry {
  readonly #workspace: string;
  readonly #noted = new Set<string>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** Keeps θ under its hash, unless the workspace cannot be written: an answer is no worse for it. */
  async note({ hash, parameters }: ModelState): Promise<void> {
    if (this.#noted.has(hash)) return;
    const file = inWorkspace(this.#workspace, workspaceLayout.model(hash));
    try {
      const isKept = (await stat(file).catch(() => undefined)) !== undefined;
      if (!isKept) await writeFileAtomically(file, canonicalJson(parameters));
      this.#noted.add(hash);
    } catch (error) {
      if (!(error instanceof EnvironmentFaultError) && environmentFault(error, file) === undefined) throw error;
    }
  }

  /**
   * All of them, by hash.
   * @throws ForeignFileError when a file is not what its name says
   * @throws EnvironmentFaultError when their folder cannot be read
   */
  async list(): Promise<ModelState[]> {
    const names = await namesIfPresent(inWorkspace(this.#workspace, workspaceLayout.models));
    const models: ModelState[] = [];
    for (const name of names.sort()) {
      const hash = filePattern.exec(name)?.[1];
      if (hash === undefined) continue;
      const file = inWorkspace(this.#workspace, workspaceLayout.model(hash));
      const bytes = await readIfPresent(file);
      if (bytes === undefined) continue;
      if (sha256Hex(bytes) !== hash) throw new ForeignFileError({ file, reason: 'damaged: its name is not its hash' });
      models.push({ hash, parameters: JSON.parse(bytes.toString('utf8')) as object });
    }
    return models;
  }
}

/**
 * The versions that a θ of a search consists of, parents before what was made from them: the embedder, statistics of words,
 * which are those of the snapshot of each answer, and the settings themselves, whose content hash is the θ's.
 *
 * @param embedderAvailableAt when an embedder could first have been used, by its hash; null where nothing says
 */
export function searchVersions(
  { hash, parameters }: ModelState,
  embedderAvailableAt: (hash: string) => number | null,
): ModelVersion[] {
  const { mode, analyzer, embedder } = parameters as {
    mode: string;
    analyzer?: string;
    embedder?: { id: string; hash: string };
  };
  const parents: ModelVersion[] = [];
  if (embedder !== undefined) {
    parents.push(embedderVersion({ ...embedder, availableAt: embedderAvailableAt(embedder.hash) }, 'as-of'));
  }
  if (analyzer !== undefined) parents.push(anchoredStatistics(analyzer));
  const search = newModelVersion({
    ...{ kind: 'search', name: mode, content: hash, origin: 'fixed', reading: 'as-of', availableAt: null },
    ...{ parents: parents.map(({ id }) => id), training: null, parameters: flat(parameters) },
  });
  return [...parents, search];
}

/** Settings within settings by their path, such as `freshness.alpha`. */
export function flat(value: object, path = ''): Record<string, string | number> {
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, item]) => {
      if (item !== null && typeof item === 'object') return flat(item, `${path}${name}.`);
      return { [`${path}${name}`]: typeof item === 'number' ? item : String(item) };
    }),
  );
}
