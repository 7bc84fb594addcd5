import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { takeFolderLock } from '../folderLock.js';
import { checkWorkspace, readState } from './pointerFile.js';
import { takeReaderLease } from './readerLease.js';
import type { WorkspaceState } from './state.js';
import { sweep } from './sweep.js';
import { Workspace } from './Workspace.js';

export interface OpenOptions {
  /** Opens without the writer's lock, for any number of readers at once, also while a writer is at work. */
  readonly readOnly?: boolean | undefined;
  /**
   * Reads the log as it was when it had this commitment, whatever was appended since; for readers only. A late arrival
   * changes what a query as of a past instant finds, but never what it finds in a log that is pinned.
   */
  readonly log?: { readonly size: number; readonly root?: string | undefined } | undefined;
}

/**
 * Opens a workspace.
 *
 * @throws MissingResourceError when there is none
 * @throws ForeignFileError when it is of a newer version, or damaged
 * @throws FolderLockedError when another writer has it, unless `readOnly`
 * @throws InvalidArgumentError for a `log` that this log never was
 */
export async function openWorkspace(folder: string, options: OpenOptions = {}): Promise<Workspace> {
  if (options.readOnly) {
    // Before the lease, which is a file in the workspace: a reader leaves nothing where there is none.
    await checkWorkspace(folder);
    const lease = await takeReaderLease(folder);
    try {
      const state = await readState(folder);
      await lease.update(state.generation);
      return new Workspace(folder, state, { lease, pin: pinOf(state, options.log) });
    } catch (error) {
      await lease.release();
      throw error;
    }
  }
  if (options.log !== undefined) {
    throw new InvalidArgumentError({ argument: 'log', value: options.log, expected: 'readOnly beside a pinned log' });
  }
  await readState(folder);
  const releaseLock = await takeFolderLock(folder);
  try {
    // Read again: it may have changed until the lock was there.
    return new Workspace(folder, await sweep(folder, await readState(folder)), { releaseLock });
  } catch (error) {
    releaseLock();
    throw error;
  }
}

function pinOf(state: WorkspaceState, log: OpenOptions['log']): number | undefined {
  if (log === undefined) return undefined;
  const known =
    log.size === 0 || state.commits.some(({ size, root }) => size === log.size && root === (log.root ?? root));
  if (known) return log.size;
  throw new InvalidArgumentError({
    argument: 'log',
    value: log,
    expected: 'a commitment that a commit of this log had',
  });
}
