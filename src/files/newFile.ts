import { open, rm } from 'node:fs/promises';
import { ExistingFileError } from '../errors/ExistingFileError.js';

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
