import { readFile } from 'node:fs/promises';
import type { Database } from '../../columnar/duckdb.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { wording } from '../../errors/wording.js';
import { readIfPresent, writeFileAtomically } from '../../files/atomicFile.js';
import { syncPath, syncWithFolder } from '../../files/syncPath.js';
import { readCatalog, writeCatalog } from './catalogFile.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import type { WorkspaceState } from './state.js';

const format = 'asof workspace';

/** The version of the layout that this code writes, and the newest that it reads. */
export const workspaceFormatVersion = 1;

interface Pointer {
  readonly format: string;
  readonly version: number;
  readonly generation: number;
  /** SHA-256 of the catalog. */
  readonly sha256: string;
}

/**
 * Makes a state the one in force: its catalog is written beside the others, then the pointer is replaced. A crash at any
 * moment leaves the old state or the new one.
 *
 * @param database what is at hand to write the catalog with
 */
export async function publishState(folder: string, state: WorkspaceState, database?: Database): Promise<void> {
  const catalog = inWorkspace(folder, workspaceLayout.catalog(state.generation));
  await writeCatalog(catalog, state, database);
  await syncWithFolder(catalog);
  const sha256 = sha256Hex(await readFile(catalog));
  const pointer: Pointer = { format, version: workspaceFormatVersion, generation: state.generation, sha256 };
  await writeFileAtomically(inWorkspace(folder, workspaceLayout.pointer), `${JSON.stringify(pointer, null, 2)}\n`);
  await syncPath(folder);
}

/**
 * Reads the state in force.
 *
 * @throws MissingResourceError when there is no workspace
 * @throws ForeignFileError when it is of a newer version, or damaged
 */
export async function readState(folder: string): Promise<WorkspaceState> {
  let pointer = await readPointer(folder);
  for (;;) {
    try {
      return await readCatalog(inWorkspace(folder, workspaceLayout.catalog(pointer.generation)), pointer.sha256);
    } catch (error) {
      // A writer may have put newer ones in force and removed this one since.
      const now = await readPointer(folder);
      if (now.generation === pointer.generation) throw error;
      pointer = now;
    }
  }
}

/**
 * Looks whether there is a workspace, and changes nothing.
 *
 * @throws as `readState`, but for what the catalog holds
 */
export async function checkWorkspace(folder: string): Promise<void> {
  await readPointer(folder);
}

async function readPointer(folder: string): Promise<Pointer> {
  const file = inWorkspace(folder, workspaceLayout.pointer);
  const text = await readIfPresent(file);
  if (text === undefined) {
    throw new MissingResourceError({
      resource: file,
      remedy: wording`make a workspace with ${{ command: 'init' }}, or check the path`,
    });
  }
  let pointer: Partial<Pointer>;
  try {
    pointer = JSON.parse(text.toString());
  } catch (cause) {
    throw new ForeignFileError({ file, reason: 'not JSON: truncated or of another kind', cause });
  }
  if (pointer?.format !== format || !Number.isInteger(pointer.version)) {
    throw new ForeignFileError({ file, reason: `not of the format ${JSON.stringify(format)}` });
  }
  if (pointer.version! > workspaceFormatVersion) {
    const reason = `written by a newer asof (format version ${pointer.version}; this one reads ${workspaceFormatVersion})`;
    throw new ForeignFileError({ file, reason });
  }
  if (!Number.isInteger(pointer.generation) || typeof pointer.sha256 !== 'string') {
    throw new ForeignFileError({ file, reason: 'names no catalog' });
  }
  return pointer as Pointer;
}
