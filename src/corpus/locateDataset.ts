import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../errors/MissingResourceError.js';
import { compareCodeUnits } from './corpus.js';
import { isUrl } from './hub.js';
import type { DatasetFile, DatasetFormat, DatasetReader, ReadOptions } from './readers/datasetReader.js';
import { datasetFormats, datasetReaders } from './readers/formats.js';
import type { InputRole, InputSet } from './readers/inputs.js';
import { readJsonRecords } from './readers/jsonRecords.js';
import type { RecordFields } from './readers/recordFields.js';
import { sniff } from './readers/sniff.js';

/** What to read: a folder or file, files by what they hold, or both, where the named files stand in for the folder's. */
export interface DatasetLocation {
  /** A folder in one of the known layouts, or a file. `-` is standard input; https addresses are downloaded. */
  readonly path?: string | undefined;
  readonly assets?: readonly string[] | undefined;
  readonly requests?: readonly string[] | undefined;
  readonly qrels?: readonly string[] | undefined;
  /** Found out from the files when absent. */
  readonly format?: DatasetFormat | undefined;
}

export interface LocatedDataset {
  readonly reader: DatasetReader;
  /** In code-unit order of their paths, so that the order in which they were named decides nothing. */
  readonly files: readonly DatasetFile[];
  /** How the format was found out, in words; undefined when it was given. */
  readonly detection: string | undefined;
}

/**
 * Settles format and files. The format, where not given, is the one whose files a folder holds; where there are files of
 * several, or files were named one by one, it is the one that their first records look like.
 *
 * @param peekers opens files for a look at their first record
 * @throws InvalidArgumentError when several formats fit (it lists them), or nothing is named
 * @throws MissingResourceError when the path does not exist, no format fits, or not the one that was given
 */
export async function locateDataset(
  location: DatasetLocation,
  options: ReadOptions,
  peekers: InputSet,
): Promise<LocatedDataset> {
  const { path, format } = location;
  const named = namedFiles(location);
  if (path === undefined && named.length === 0) {
    throw new InvalidArgumentError({ argument: 'path', value: path, expected: 'a folder or files to read' });
  }
  const names = path === undefined ? undefined : folderNames(path);
  const filesFor = (reader: DatasetReader): DatasetFile[] | undefined => {
    if (path === undefined) return merge([], named);
    if (names === undefined) return merge([{ path, role: reader.roles[0] }], named);
    const found = reader.find(names, options)?.map((file) => ({ ...file, path: join(path, file.path) }));
    return found === undefined ? undefined : merge(found, named);
  };

  const place = path ?? named.map((file) => file.path).join(', ');
  if (format !== undefined) {
    const reader = datasetReaders.find((candidate) => candidate.format === format);
    if (reader === undefined) {
      const expected = `one of ${datasetFormats.join(', ')}`;
      throw new InvalidArgumentError({ argument: 'format', value: format, expected });
    }
    const stray = named.find((file) => !reader.roles.includes(file.role));
    if (stray !== undefined) {
      const expected = `no file of ${stray.role} in the format ${format}`;
      throw new InvalidArgumentError({ argument: stray.role, value: stray.path, expected });
    }
    const files = filesFor(reader);
    if (files !== undefined) return { reader, files, detection: undefined };
    throw new MissingResourceError({
      resource: `a ${format} data set in ${place}`,
      remedy: `put ${reader.layout} there`,
    });
  }
  return detect(filesFor, place, peekers);
}

async function detect(
  filesFor: (reader: DatasetReader) => DatasetFile[] | undefined,
  place: string,
  peekers: InputSet,
): Promise<LocatedDataset> {
  const laidOut: LocatedDataset[] = [];
  for (const reader of datasetReaders) {
    const files = filesFor(reader);
    if (files === undefined || files.some((file) => !reader.roles.includes(file.role))) continue;
    const detection = `${reader.format}: found ${files.map((file) => basename(file.path)).join(', ')}`;
    laidOut.push({ reader, files, detection });
  }
  if (laidOut.length === 1) return laidOut[0]!;

  const peeked = new Map<string, Peek>();
  const fitting: LocatedDataset[] = [];
  for (const candidate of laidOut) {
    let fits = true;
    for (const file of candidate.files) {
      const peek = peeked.get(file.path) ?? (await lookAt(file, peekers));
      peeked.set(file.path, peek);
      fits &&= looksLike(peek, file.role, candidate.reader);
    }
    if (fits) fitting.push(candidate);
  }
  if (fitting.length === 1) return fitting[0]!;
  const list = (readers: readonly DatasetReader[]) =>
    readers.map((reader) => `${reader.format} (${reader.layout})`).join('; ');
  if (fitting.length === 0) {
    const remedy = `its files are in none of the known forms: ${list(datasetReaders)}`;
    throw new MissingResourceError({ resource: `a data set in ${place}`, remedy });
  }
  const expected = `one by name, since ${place} may be ${list(fitting.map(({ reader }) => reader))}`;
  throw new InvalidArgumentError({ argument: 'format', value: undefined, expected });
}

/** The first record of a file, `text` where it is no JSON, `unknown` where there is nothing to go by. */
type Peek = RecordFields | 'text' | 'unknown';

async function lookAt(file: DatasetFile, peekers: InputSet): Promise<Peek> {
  // Standard input cannot be read twice.
  if (file.path === '-') return 'unknown';
  const { first, all } = await sniff(peekers.read(file.path, file.role));
  try {
    if (first === '') return 'unknown';
    if (first !== '{' && first !== '[') return 'text';
    for await (const records of readJsonRecords(all, file.path)) {
      for (const record of records) return 'fields' in record ? record.fields : 'text';
    }
    return 'unknown';
  } finally {
    await all.return(undefined);
  }
}

function looksLike(peek: Peek, role: InputRole, reader: DatasetReader): boolean {
  if (peek === 'unknown') return true;
  return peek === 'text' ? reader.textRoles.includes(role) : reader.recognises(peek, role);
}

function namedFiles(location: DatasetLocation): DatasetFile[] {
  const roles = ['assets', 'requests', 'qrels'] as const;
  return roles.flatMap((role) => (location[role] ?? []).map((path) => ({ path, role })));
}

function merge(found: readonly DatasetFile[], named: readonly DatasetFile[]): DatasetFile[] {
  const given = new Set(named.map((file) => file.role));
  const files = [...found.filter((file) => !given.has(file.role)), ...named];
  return files.sort((a, b) => compareCodeUnits(a.path, b.path));
}

/** Names in a folder and in the folders right under it, in code-unit order; undefined where the path is no folder. */
function folderNames(path: string): string[] | undefined {
  if (path === '-' || isUrl(path)) return undefined;
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new MissingResourceError({ resource: path, remedy: 'no such file or folder; check the path' });
  }
  if (!stats.isDirectory()) return undefined;
  try {
    const names: string[] = [];
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (!entry.isDirectory()) names.push(entry.name);
      else names.push(...readdirSync(join(path, entry.name)).map((name) => `${entry.name}/${name}`));
    }
    return names.sort(compareCodeUnits);
  } catch (cause) {
    throw new InvalidArgumentError({ argument: 'path', value: path, expected: 'a folder that can be read', cause });
  }
}
