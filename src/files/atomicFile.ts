import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ExistingFileError } from '../errors/ExistingFileError.js';
import { environmentFault } from './environmentFault.js';

/**
 * Writes a file so that a reader, or a crash, sees the old file or the new one and nothing between: into a file of its
 * own beside the target, flushed to disk, then renamed over it. Two processes may write the same target at once.
 * @param write fills the file; when it throws, the target is as it was
 * @throws ExistingFileError when the target is a device, a pipe or a folder: a rename would put a file in its place
 */
export async function replaceFile<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  const explain = (error: unknown) => {
    // What the system says of the temporary file, or of a handle without a name, is said of the target.
    const named = (error as NodeJS.ErrnoException).path ?? temporary;
    return environmentFault(error, named === temporary ? path : named) ?? error;
  };
  const file = await open(temporary, 'wx').catch((error: unknown) => {
    throw explain(error);
  });
  try {
    const result = await write(file);
    await file.sync();
    await file.close();
    await moveOver(temporary, path);
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw explain(error);
  }
}

/**
 * Puts a file in the place of another one, or of none.
 * @throws ExistingFileError when the target is a device, a pipe or a folder
 */
export async function moveOver(file: string, target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found !== undefined && !found.isFile()) {
    throw new ExistingFileError({ file: target, remedy: 'it is no regular file; choose another one' });
  }
  await rename(file, target);
}

/** `replaceFile` with content that is at hand. */
export function writeFileAtomically(path: string, data: string | Uint8Array): Promise<void> {
  return replaceFile(path, (file) => file.writeFile(data));
}

/** The file's bytes, or undefined where there is no such file. */
export async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The names in a folder, or none where there is no such folder.
 * @throws EnvironmentFaultError when it cannot be read
 */
export async function namesIfPresent(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw environmentFault(error, folder) ?? error;
  }
}
