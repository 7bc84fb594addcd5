import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { syncWithFolder } from '../../files/syncPath.js';
import { digestOf } from '../runs/digestOf.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import type { DerivedRecord, WorkspaceState } from './state.js';

/** A file to compute from a segment. */
export interface DerivedRequest {
  readonly segment: number;
  /** What it is, for example `bm25.postings`; a file of this name that the segment has already is replaced. */
  readonly name: string;
  /** Writes the file under the path that it is given. */
  readonly write: (path: string) => Promise<void>;
}

/** Writes a derived file under a name that no other content has; nothing names it yet. */
export async function writeDerivedFile(
  folder: string,
  request: DerivedRequest,
  scratchFolder: string,
): Promise<DerivedRecord> {
  const { segment, name } = request;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    throw new InvalidArgumentError({ argument: 'name', value: name, expected: 'letters, digits, dots, dashes' });
  }
  const scratch = path.join(scratchFolder, name);
  await request.write(scratch);
  const sha256 = await digestOf(scratch);
  if (sha256 === null) throw new Error(`${name} was not written`);
  const { size: bytes } = await stat(scratch);
  const relative = `${workspaceLayout.derivedFolder(segment)}/${sha256.slice(0, 16)}.${name}`;
  await mkdir(inWorkspace(folder, workspaceLayout.derivedFolder(segment)), { recursive: true });
  await rename(scratch, inWorkspace(folder, relative));
  await syncWithFolder(inWorkspace(folder, relative));
  return { segment, name, path: relative, sha256, bytes };
}

/** The state with these derived files, in place of any of the same segment and name. */
export function withDerived(state: WorkspaceState, added: readonly DerivedRecord[]): WorkspaceState {
  const keyOf = ({ segment, name }: DerivedRecord) => `${segment}/${name}`;
  const keys = new Set(added.map(keyOf));
  const paths = new Set(added.map(({ path }) => path));
  const replaced = state.derived.filter((record) => keys.has(keyOf(record)) && !paths.has(record.path));
  const generation = state.generation + 1;
  return {
    ...state,
    generation,
    derived: [...state.derived.filter((record) => !keys.has(keyOf(record))), ...added],
    retired: [
      // A file that comes back under its old name is needed again.
      ...state.retired.filter(({ path }) => !paths.has(path)),
      ...replaced.map(({ path }) => ({ path, generation })),
    ],
  };
}
