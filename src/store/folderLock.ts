import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { FolderLockedError } from '../errors/FolderLockedError.js';
import { readIfPresent, writeFileAtomically } from '../files/atomicFile.js';

/** Locked by the writer; its content is of no interest. */
const lockName = 'writer.lock';
/** Who has the lock, for messages. */
const holderName = 'writer.json';

/** Files of the lock, in the folder where they lie. */
export const lockFiles: readonly string[] = [lockName, holderName];

/** Folders that this process writes: the operating system's lock is between processes only. */
const held = new Set<string>();

/**
 * Takes the lock against a second writer. It is the operating system's lock on a file, taken through an empty DuckDB
 * database: it ends with the process, however that ends, so there is no stale lock to judge or to take over.
 *
 * @param folder what is locked, for messages
 * @param place the folder that holds the files of the lock
 * @returns what gives the lock back
 * @throws FolderLockedError when another writer has it
 */
export async function takeFolderLock(folder: string, place = folder): Promise<() => void> {
  const key = realpathSync(place);
  const holderFile = path.join(place, holderName);
  if (held.has(key)) throw new FolderLockedError({ folder, pid: process.pid });
  held.add(key);
  let database: DuckDBInstance;
  try {
    database = await DuckDBInstance.create(path.join(place, lockName), { threads: '1' });
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

/** Makes the file that is locked, in a folder that nobody else knows yet. */
export async function createLockFile(folder: string): Promise<void> {
  const database = await DuckDBInstance.create(path.join(folder, lockName), { threads: '1' });
  database.closeSync();
}
