import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { FolderLockedError } from '../errors/FolderLockedError.js';
import { readIfPresent, writeFileAtomically } from '../files/atomicFile.js';

/** Locked by the process that has it; its content is of no interest. */
const lockName = (purpose: string) => `${purpose}.lock`;
/** Who has the lock, for messages. */
const holderName = (purpose: string) => `${purpose}.json`;

/** Files of the writer's lock, in the folder where they lie. */
export const lockFiles: readonly string[] = [lockName('writer'), holderName('writer')];

/** Locks that this process has: the operating system's lock is between processes only. */
const held = new Set<string>();

/**
 * Takes a folder's lock against a second process. It is the operating system's lock on a file, taken through an empty DuckDB
 * database: it ends with the process, however that ends, so there is no stale lock to judge or to take over.
 *
 * @param folder what is locked, for messages
 * @param options.place the folder that holds the files of the lock; `folder` by default
 * @param options.purpose what is locked: a folder may have several locks; `writer` by default
 * @returns what gives the lock back
 * @throws FolderLockedError when another writer has it
 */
export async function takeFolderLock(
  folder: string,
  options: { readonly place?: string; readonly purpose?: string } = {},
): Promise<() => void> {
  const { place = folder, purpose = 'writer' } = options;
  const key = path.join(realpathSync(place), lockName(purpose));
  const holderFile = path.join(place, holderName(purpose));
  if (held.has(key)) throw new FolderLockedError({ folder, pid: process.pid });
  held.add(key);
  let database: DuckDBInstance;
  try {
    database = await DuckDBInstance.create(path.join(place, lockName(purpose)), { threads: '1' });
  } catch (cause) {
    held.delete(key);
    const message = cause instanceof Error ? cause.message : '';
    if (!message.includes('lock')) throw cause;
    const holder = JSON.parse((await readIfPresent(holderFile))?.toString() ?? '{}') as { pid?: number; host?: string };
    throw new FolderLockedError({ folder, ...holder, cause });
  }
  await writeFileAtomically(holderFile, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`);
  return () => {
    database.closeSync();
    held.delete(key);
  };
}

/** Makes the file that a writer locks, in a folder that nobody else knows yet. */
export async function createLockFile(folder: string): Promise<void> {
  const database = await DuckDBInstance.create(path.join(folder, lockName('writer')), { threads: '1' });
  database.closeSync();
}
