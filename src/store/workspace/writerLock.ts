import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { DuckDBInstance } from '@duckdb/node-api';
import { WorkspaceLockedError } from '../../errors/WorkspaceLockedError.js';
import { readIfPresent, writeFileAtomically } from '../../files/atomicFile.js';
import { inWorkspace, workspaceLayout } from './layout.js';

/** Workspaces that this process writes: the operating system's lock is between processes only. */
const held = new Set<string>();

/**
 * Takes the lock against a second writer. It is the operating system's lock on a file, taken through an empty DuckDB
 * database: it ends with the process, however that ends, so there is no stale lock to judge or to take over.
 *
 * @returns what gives the lock back
 * @throws WorkspaceLockedError when another writer has it
 */
export function takeWriterLock(folder: string): Promise<() => void> {
  return takeLock(folder, workspaceLayout.lock, workspaceLayout.lockHolder);
}

/** Takes the lock against a second process that appends events; otherwise as `takeWriterLock`. */
export function takeEventLock(folder: string): Promise<() => void> {
  return takeLock(folder, workspaceLayout.eventLock, workspaceLayout.eventLockHolder);
}

async function takeLock(folder: string, lock: string, holder: string): Promise<() => void> {
  const key = `${realpathSync(folder)}/${lock}`;
  const holderFile = inWorkspace(folder, holder);
  if (held.has(key)) throw new WorkspaceLockedError({ workspace: folder, pid: process.pid });
  held.add(key);
  let database: DuckDBInstance;
  try {
    database = await DuckDBInstance.create(inWorkspace(folder, lock), { threads: '1' });
  } catch (cause) {
    held.delete(key);
    const message = cause instanceof Error ? cause.message : '';
    if (!message.includes('lock')) throw cause;
    const known = JSON.parse((await readIfPresent(holderFile))?.toString() ?? '{}') as { pid?: number; host?: string };
    throw new WorkspaceLockedError({ workspace: folder, ...known, cause });
  }
  await writeFileAtomically(holderFile, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`);
  return () => {
    database.closeSync();
    held.delete(key);
  };
}

/** Makes the file that is locked, in a workspace that nobody else knows yet. */
export async function createLockFile(folder: string): Promise<void> {
  const database = await DuckDBInstance.create(inWorkspace(folder, workspaceLayout.lock), { threads: '1' });
  database.closeSync();
}
