import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { IngestMapping } from '../../corpus/ingest/mapping.js';
import { ExistingFileError } from '../../errors/ExistingFileError.js';
import { syncPath } from '../../files/syncPath.js';
import { createLockFile } from '../folderLock.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import { publishState } from './pointerFile.js';
import { emptyState } from './state.js';

/**
 * Makes an empty workspace, whole or not at all.
 *
 * @param options `mapping`: how records become assets, unless an ingest says otherwise
 * @throws ExistingFileError when the folder exists and is not empty
 */
export async function initWorkspace(
  folder: string,
  options: { mapping?: IngestMapping | undefined } = {},
): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'ENOTDIR') throw new ExistingFileError({ file: folder, remedy: 'choose another folder' });
    throw error;
  });
  if (names !== undefined && names.length > 0) {
    const isWorkspace = names.includes(workspaceLayout.pointer);
    const remedy = isWorkspace ? 'it is a workspace already' : 'it holds other files; choose another folder';
    throw new ExistingFileError({ file: folder, remedy });
  }
  const parent = path.dirname(path.resolve(folder));
  const partial = path.join(parent, `.${path.basename(folder)}.${randomUUID()}.partial`);
  try {
    for (const name of ['catalogs', 'segments', 'staging', 'readers'] as const) {
      await mkdir(inWorkspace(partial, workspaceLayout[name]), { recursive: true });
    }
    await createLockFile(partial);
    await publishState(partial, emptyState(options.mapping ?? null));
    await rename(partial, folder);
    await syncPath(parent);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
