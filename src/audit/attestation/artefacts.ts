import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { newSha256 } from '../../commitment/sha256.js';
import { compareCodeUnits } from '../../corpus/corpus.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import type { Subject } from './statement.js';

/** Name of the attestation inside the directory that it attests. */
export const attestationFileName = 'attestation.dsse.json';

/** Where the attestation of a directory is kept. */
export function attestationFileIn(directory: string): string {
  return join(directory, attestationFileName);
}

/** An entry of a directory or of one below it, no directory itself. */
export interface DirectoryEntry {
  /** Path from the directory, parts joined by `/`. */
  readonly name: string;
  /** False for symbolic links, sockets and devices. */
  readonly isFile: boolean;
}

/**
 * All that a directory and those below it hold, in code-unit order of the names, the attestation itself left out.
 * @throws MissingResourceError when there is no such directory
 */
export async function listArtefacts(directory: string): Promise<DirectoryEntry[]> {
  const found: DirectoryEntry[] = [];
  const pending = [''];
  for (let prefix = pending.pop(); prefix !== undefined; prefix = pending.pop()) {
    for (const entry of await entriesOf(join(directory, prefix))) {
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) pending.push(`${name}/`);
      else found.push({ name, isFile: entry.isFile() });
    }
  }
  return found.filter(({ name }) => name !== attestationFileName).sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** SHA-256 of a file's bytes in hexadecimal, read as a stream. Rejects as `createReadStream` does. */
export async function digestFile(file: string): Promise<string> {
  const hash = newSha256();
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * Every file of a directory with its digest, as the subjects of an attestation.
 * @throws MissingResourceError when there is no such directory
 * @throws InvalidInputError at a symbolic link, socket or device (what it leads to is outside the directory), and when
 * there is no file
 */
export async function digestDirectory(directory: string): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const { name, isFile } of await listArtefacts(directory)) {
    if (!isFile) {
      throw new InvalidInputError({
        location: { file: directory },
        value: name,
        expected: 'files and directories only, no symbolic link or device',
      });
    }
    subjects.push({ name, sha256: await digestFile(join(directory, name)) });
  }
  if (subjects.length === 0) {
    throw new InvalidInputError({ location: { file: directory }, expected: 'at least one file to attest' });
  }
  return subjects;
}

async function entriesOf(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (cause) {
    throw new MissingResourceError({ resource: directory, remedy: 'expected a directory that can be read', cause });
  }
}
