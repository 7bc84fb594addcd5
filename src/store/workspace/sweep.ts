import { readdir, rm } from 'node:fs/promises';
import { inWorkspace, workspaceLayout } from './layout.js';
import { oldestReadGeneration } from './readerLease.js';
import type { WorkspaceState } from './state.js';

/**
 * Removes what no state names: leftovers of a writer that crashed, catalogs before the last one, and what was retired
 * and no reader needs any more. For the writer only.
 *
 * @returns the state without the retired files that are gone
 */
export async function sweep(folder: string, state: WorkspaceState): Promise<WorkspaceState> {
  const remove = (relative: string) => rm(inWorkspace(folder, relative), { recursive: true, force: true });
  const list = (relative: string): Promise<string[]> => readdir(inWorkspace(folder, relative)).catch(() => []);

  for (const name of await list(workspaceLayout.staging)) await remove(`${workspaceLayout.staging}/${name}`);
  for (const name of await list(workspaceLayout.catalogs)) {
    const generation = Number(/^(\d+)\.duckdb$/.exec(name)?.[1] ?? Number.NaN);
    // The one before may be what a reader has just been pointed to.
    const isNeeded = generation === state.generation || generation === state.generation - 1;
    if (!isNeeded) await remove(`${workspaceLayout.catalogs}/${name}`);
  }

  const oldest = await oldestReadGeneration(folder);
  const retired = state.retired.filter(({ generation }) => oldest < generation);
  const keptPaths = new Set([...state.derived, ...retired].map(({ path }) => path));
  const segments = new Set(state.segments.map(({ id }) => workspaceLayout.segment(id)));
  for (const name of await list(workspaceLayout.segments)) {
    const segment = `${workspaceLayout.segments}/${name}`;
    if (!segments.has(segment)) {
      if (!keptPaths.has(segment)) await remove(segment);
      continue;
    }
    const derived = workspaceLayout.derivedFolder(Number(name));
    for (const file of await list(derived)) {
      if (!keptPaths.has(`${derived}/${file}`)) await remove(`${derived}/${file}`);
    }
  }
  return retired.length === state.retired.length ? state : { ...state, retired };
}
