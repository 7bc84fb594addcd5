import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ExistingFileError } from '../errors/ExistingFileError.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { replaceFile } from './atomicFile.js';
import { environmentFault } from './environmentFault.js';

export interface OutputFileOptions {
  /** The option that names the file, for messages: `--out`. */
  readonly argument: string;
  /** Whether a file that is there may be replaced. */
  readonly force: boolean;
  /** Files that are read for the output, and folders of such: never written, whatever `force` says. */
  readonly inputs?: readonly string[] | undefined;
}

/** A place to write to. */
export interface OutputFile {
  /** With symbolic links followed, so that a replaced file is the one that they lead to. */
  readonly path: string;
  /** Whether it is a device or a pipe: written as it is, since to replace it would be to remove it. */
  readonly isStream: boolean;
}

/**
 * Looks at where an output is to go, before any work is done for it: the one rule of every command that writes a file.
 *
 * @throws ExistingFileError when a file is there, unless `force`
 * @throws InvalidArgumentError for an input, a folder, or what is no file
 */
export async function checkOutputFile(file: string, options: OutputFileOptions): Promise<OutputFile> {
  const { argument, force, inputs = [] } = options;
  const target = await resolved(file);
  for (const input of inputs) {
    const inside = path.relative(await resolved(input), target);
    if (inside !== '' && (inside.startsWith('..') || path.isAbsolute(inside))) continue;
    throw new InvalidArgumentError({ argument, value: file, expected: `a file that is no input: ${input} is read` });
  }
  const found = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return { path: target, isStream: false };
  if (found.isCharacterDevice() || found.isFIFO()) return { path: target, isStream: true };
  if (!found.isFile()) throw new InvalidArgumentError({ argument, value: file, expected: 'a file, or a new name' });
  if (!force) {
    throw new ExistingFileError({ file, remedy: `choose another ${argument}, or --force to replace it` });
  }
  return { path: target, isStream: false };
}

/** Writes an output: a file whole or not at all (`replaceFile`), a device or a pipe as it comes. */
export async function writeOutputFile<T>(output: OutputFile, write: (file: FileHandle) => Promise<T>): Promise<T> {
  if (!output.isStream) return replaceFile(output.path, write);
  const file = await open(output.path, 'w');
  try {
    return await write(file);
  } catch (error) {
    // A handle does not say its name.
    throw (error as NodeJS.ErrnoException).path === undefined ? (environmentFault(error, output.path) ?? error) : error;
  } finally {
    await file.close();
  }
}

/** The path without symbolic links, as far as it exists. */
async function resolved(file: string): Promise<string> {
  const absolute = path.resolve(file);
  try {
    return await realpath(absolute);
  } catch (error) {
    const parent = path.dirname(absolute);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === absolute) throw error;
    return path.join(await resolved(parent), path.basename(absolute));
  }
}
