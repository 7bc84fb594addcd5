import { EnvironmentFaultError } from '../errors/EnvironmentFaultError.js';

/** Reasons in words, by the system's code. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'in use by another process',
  EDQUOT: 'disk quota used up',
  EEXIST: 'something of this name is in the way',
  EFBIG: 'larger than a file may be here',
  EIO: 'input or output failed',
  EISDIR: 'a folder, where a file is needed',
  ELOOP: 'symbolic links that lead round in a circle',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many open files',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space left on the device',
  ENOTDIR: 'part of the path is no folder',
  ENOTEMPTY: 'the folder is not empty',
  EPERM: 'operation not permitted',
  EPIPE: 'nobody reads it any more',
  EROFS: 'on a read-only file system',
};

const ofDuckDb = /^IO Error: ([^\n]*)/;
const quotedPath = /"([^"]+)"/;

/**
 * An error of the system, by Node or by DuckDB, in words: what, where, why. Undefined when the error is of another kind.
 *
 * @param place what was being read or written, where the error does not say
 */
export function environmentFault(error: unknown, place?: string): EnvironmentFaultError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && Object.hasOwn(reasons, code)) {
    const where = place ?? path ?? syscall ?? 'the system';
    return new EnvironmentFaultError({ path: where, reason: `${reasons[code]} (${code})`, cause: error });
  }
  const text = ofDuckDb.exec(error.message)?.[1];
  if (text === undefined) return undefined;
  const where = place ?? quotedPath.exec(text)?.[1] ?? 'a database file';
  return new EnvironmentFaultError({ path: where, reason: text, cause: error });
}
