import { open, rename, rm } from 'node:fs/promises';
import { ExistingFileError } from '../errors/ExistingFileError.js';

/**
 * Moves a file to the first free name of a series; what is there is never overwritten. The name is taken by a file of its own
 * before the move, so of two processes no two get the same one.
 *
 * @param nameOf the paths to try, by number from 1; on the file system of `file`
 * @returns the path
 */
export async function moveToFreeName(file: string, nameOf: (number: number) => string): Promise<string> {
  for (let number = 1; ; number++) {
    const target = nameOf(number);
    try {
      await (await open(target, 'wx')).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    try {
      await rename(file, target);
      return target;
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  }
}

/**
 * Writes a file that must not be there yet: what is there is never overwritten, and a file that could not be written
 * whole is taken back.
 *
 * @param options.remedy what to do when the file is there
 * @param options.mode permissions; 0o666 less the umask by default
 * @throws ExistingFileError when there is such a file
 */
export async function writeNewFile(
  path: string,
  data: string | Uint8Array,
  options: { remedy: string; mode?: number },
): Promise<void> {
  const file = await open(path, 'wx', options.mode).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause;
    throw new ExistingFileError({ file: path, remedy: options.remedy, cause });
  });
  try {
    await file.writeFile(data);
    await file.close();
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
    throw error;
  }
}
