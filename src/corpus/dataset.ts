import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../errors/MissingResourceError.js';
import type { TableText } from './asset.js';
import { buildRequests } from './buildRequests.js';
import { buildCorpus, type Corpus, compareCodeUnits } from './corpus.js';
import type { DroppedCounts } from './dropped.js';
import type { Products } from './products.js';
import { asofReader } from './readers/asofReader.js';
import type { DatasetFile, DatasetFormat, DatasetReader, ReadOptions } from './readers/datasetReader.js';
import { type InputRecord, InputSet, type InputSetOptions } from './readers/inputs.js';
import { RecordSink } from './readers/recordSink.js';
import type { Requests } from './request.js';

/** A corpus with requests over it, relevance labels apart. */
export interface Dataset {
  readonly name: string;
  readonly format: DatasetFormat;
  readonly corpus: Corpus;
  readonly requests: Requests;
  /** Labels: for evaluation only. */
  readonly products: Products;
  /** The files that it was read from, in code-unit order of their paths. */
  readonly inputs: readonly InputRecord[];
  /** Records left out by `skipInvalid`, by reason. */
  readonly dropped: DroppedCounts;
}

export interface DatasetOptions extends ReadOptions, InputSetOptions {
  /** A folder in one of the known layouts, or a file. */
  readonly path?: string | undefined;
  /** Files of assets, instead of what the folder holds. `-` is standard input. */
  readonly assets?: readonly string[] | undefined;
  /** Files of requests, instead of what the folder holds. */
  readonly requests?: readonly string[] | undefined;
  readonly format?: DatasetFormat | undefined;
  /** Name for reports; the last part of the path by default. */
  readonly name?: string | undefined;
  /** How tables become text; `full` by default. */
  readonly tableText?: TableText | undefined;
  /** Leave out and count records that cannot be used, instead of ending with the first one. */
  readonly skipInvalid?: boolean | undefined;
}

const readers: readonly DatasetReader[] = [asofReader];

/**
 * Reads a data set: the corpus in availability order, the requests in id order, the products apart. The same files give
 * the same data set, in whatever order they are named.
 *
 * @throws InvalidInputError for a record that cannot be used, unless `skipInvalid`; it names file, line and id
 * @throws MissingResourceError when a file or folder does not exist
 * @throws InvalidArgumentError when the options leave open what to read
 */
export async function loadDataset(options: DatasetOptions): Promise<Dataset> {
  const reader = readers.find((candidate) => candidate.format === (options.format ?? 'asof'))!;
  const files = chooseFiles(reader, options);
  const inputs = new InputSet(options);
  const sink = new RecordSink(options);
  await reader.read(files, inputs, sink, options);
  const corpus = buildCorpus(sink.assets, options.tableText === undefined ? {} : { tableText: options.tableText });
  const { requests, products } = buildRequests(sink.requests, corpus, {
    locate: sink.locateRequest,
    reject: sink.reject,
  });
  return {
    name: options.name ?? basename(options.path ?? files[0]!.path).replace(/(\.jsonl?)?(\.gz)?$/, ''),
    format: reader.format,
    corpus,
    requests,
    products,
    inputs: [...inputs.records].sort((a, b) => compareCodeUnits(a.path, b.path)),
    dropped: sink.dropped,
  };
}

function chooseFiles(reader: DatasetReader, options: DatasetOptions): DatasetFile[] {
  const explicit = [
    ...(options.assets ?? []).map((path): DatasetFile => ({ path, role: 'assets' })),
    ...(options.requests ?? []).map((path): DatasetFile => ({ path, role: 'requests' })),
  ];
  const given = new Set(explicit.map((file) => file.role));
  const found = options.path === undefined ? [] : filesAt(options.path, reader, options);
  const files = [...found.filter((file) => !given.has(file.role)), ...explicit];
  if (files.length === 0) {
    throw new InvalidArgumentError({ argument: 'path', value: options.path, expected: 'a folder or files to read' });
  }
  return files.sort((a, b) => compareCodeUnits(a.path, b.path));
}

function filesAt(path: string, reader: DatasetReader, options: DatasetOptions): DatasetFile[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new MissingResourceError({ resource: path, remedy: 'no such file or folder; check the path' });
  }
  if (!stats.isDirectory()) return [{ path, role: 'assets' }];
  const names = readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry: Dirent) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(path.length)
        .replace(/^[/\\]+/, '')
        .replaceAll('\\', '/'),
    )
    .sort(compareCodeUnits);
  const files = reader.find(names, options);
  if (files === undefined) {
    throw new MissingResourceError({ resource: `a data set in ${path}`, remedy: `put ${reader.layout} there` });
  }
  return files.map((file) => ({ ...file, path: join(path, file.path) }));
}
