import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { InvalidInputError } from '../../errors/InvalidInputError.js';
import { wording } from '../../errors/wording.js';
import { replaceFile } from '../../files/atomicFile.js';
import { readCsvRecords } from '../readers/csvRecords.js';
import { withoutGz } from '../readers/datasetReader.js';
import { type InputSet, inputLabel } from '../readers/inputs.js';
import { readJsonRecords } from '../readers/jsonRecords.js';
import { sniff } from '../readers/sniff.js';
import { readParquetRecords } from './parquetRecords.js';
import type { LocatedRecord } from './sourceRecord.js';

export const sourceFormats = ['jsonl', 'json', 'csv', 'tsv', 'parquet'] as const;

/** Formats of files of records. `jsonl` and `json` are told apart by their first character, whatever they are called. */
export type SourceFormat = (typeof sourceFormats)[number];

const formatOfExtension: Readonly<Record<string, SourceFormat>> = {
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.parquet': 'parquet',
};

export interface SourceOptions {
  /** The format of every file; found out by its name, or its first character, when absent. */
  readonly format?: SourceFormat | undefined;
  /** Folder for a Parquet file that must lie on disk to be read: compressed with gzip, or from standard input. */
  readonly scratchFolder: string;
}

/**
 * The records of a file, in order, in batches, whatever its format. Files compressed with gzip are read as they are.
 *
 * @throws MissingResourceError when there is no such file
 * @throws InvalidInputError when the file cannot be read on
 * @throws InvalidArgumentError when its format cannot be told
 */
export async function* readSourceRecords(
  file: string,
  inputs: InputSet,
  options: SourceOptions,
): AsyncGenerator<readonly LocatedRecord[]> {
  const label = inputLabel(file);
  const { first, all } = await sniff(inputs.read(file, 'assets'));
  const format = options.format ?? formatOfExtension[path.extname(withoutGz(file)).toLowerCase()] ?? guessFormat(first);
  switch (format) {
    case 'jsonl':
    case 'json':
      for await (const batch of readJsonRecords(all, label)) {
        yield batch.map((record) => {
          const location = { file: label, line: record.line };
          return 'fault' in record ? { location, fault: record.fault } : { location, record: record.fields.value };
        });
      }
      return;
    case 'csv':
    case 'tsv':
      yield* readCells(all, label, format === 'csv' ? ',' : '\t');
      return;
    case 'parquet':
      yield* readSpooled(all, label, options.scratchFolder);
      return;
    case undefined:
      await all.return(undefined);
      throw new InvalidArgumentError({
        argument: 'format',
        value: label,
        expected: wording`${{ option: 'format' }} with one of ${sourceFormats.join(', ')}: the name of the file does not tell`,
      });
  }
}

/** An empty cell is an absent field; a row of another length than the header's can be set aside. */
async function* readCells(
  chunks: AsyncIterable<Buffer>,
  file: string,
  delimiter: string,
): AsyncGenerator<readonly LocatedRecord[]> {
  const faults: LocatedRecord[] = [];
  const reject = (fault: InvalidInputError) => faults.push({ location: fault.location, fault });
  for await (const batch of readCsvRecords(chunks, file, delimiter, reject)) {
    const rows = batch.map(({ line, fields }): LocatedRecord => {
      const cells = Object.entries(fields).filter(([, cell]) => cell !== '');
      return { location: { file, line }, record: Object.fromEntries(cells) };
    });
    yield faults.splice(0).concat(rows);
  }
}

/** JSON shows itself by its first character; nothing else is guessed. */
function guessFormat(first: string): SourceFormat | undefined {
  return first === '{' || first === '[' ? 'jsonl' : undefined;
}

/**
 * A Parquet file is read from its end, so its bytes are put on disk first, decompressed; which also hashes them, as
 * those of any input.
 */
async function* readSpooled(
  chunks: AsyncIterable<Buffer>,
  label: string,
  folder: string,
): AsyncGenerator<readonly LocatedRecord[]> {
  await mkdir(folder, { recursive: true });
  const spooled = path.join(folder, 'input.parquet');
  try {
    await replaceFile(spooled, async (target) => {
      for await (const chunk of chunks) await target.writeFile(chunk);
    });
    yield* readParquetRecords(spooled, label);
  } finally {
    await rm(spooled, { force: true });
  }
}
