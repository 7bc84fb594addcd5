import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file so that a reader, or a crash, sees the old file or the new one and nothing between: into a file of its
 * own beside the target, flushed to disk, then renamed over it. Two processes may write the same target at once.
 * @param write fills the file; when it throws, the target is as it was
 */
export async function replaceFile<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'wx');
  try {
    const result = await write(file);
    await file.sync();
    await file.close();
    await rename(temporary, path);
    return result;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
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
