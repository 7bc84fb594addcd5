import { basename, join } from 'node:path';
import { userCacheFolder } from '../files/userCacheFolder.js';
import type { Asset, TableText } from './asset.js';
import { buildRequests } from './buildRequests.js';
import { buildCorpus, type Corpus, compareCodeUnits } from './corpus.js';
import type { DroppedCounts } from './dropped.js';
import { checkDownload, fetchToCache, type HubFile, type HubOptions, isUrl } from './hub.js';
import { type DatasetLocation, locateDataset } from './locateDataset.js';
import type { Products } from './products.js';
import type { DatasetFormat, ReadOptions } from './readers/datasetReader.js';
import { type InputRecord, InputSet } from './readers/inputs.js';
import { RecordSink } from './readers/recordSink.js';
import type { RequestRecord, Requests } from './request.js';

/** A corpus with requests over it, relevance labels apart. */
export interface Dataset {
  readonly name: string;
  readonly format: DatasetFormat;
  /** How the format was found out, in words; undefined when it was given. */
  readonly detection: string | undefined;
  readonly corpus: Corpus;
  readonly requests: Requests;
  /** Labels: for evaluation only. */
  readonly products: Products;
  /** The files that it was read from, in code-unit order of their paths. */
  readonly inputs: readonly InputRecord[];
  /** Records left out, by reason. */
  readonly dropped: DroppedCounts;
}

/** Which data set is read, and how. */
export interface DatasetOptions extends DatasetLocation, ReadOptions {
  /** Name for reports; the last part of the path by default. */
  readonly name?: string | undefined;
  /** How tables become text; `full` by default. */
  readonly tableText?: TableText | undefined;
  /** Leave out and count records that cannot be used, instead of ending with the first one. */
  readonly skipInvalid?: boolean | undefined;
  /** Where downloads are kept, and how long they may stall. */
  readonly hub?: Partial<HubOptions> | undefined;
  /** What `-` reads; standard input of the process by default. */
  readonly stdin?: NodeJS.ReadableStream | undefined;
}

/** A data set as records, from which `Dataset` is built: what a conversion to another format needs. */
export interface DatasetRecords {
  /** In corpus order: by availability, then id. */
  readonly assets: readonly Asset[];
  /** In id order. */
  readonly requests: readonly RequestRecord[];
  readonly dataset: Dataset;
}

/**
 * Reads a data set: the corpus in availability order, the requests in id order, the products apart. The same files give
 * the same data set, in whatever order they are named.
 *
 * @throws InvalidInputError for a record that cannot be used, unless `skipInvalid`; it names file, line and id
 * @throws MissingResourceError when a file or folder does not exist, or a download fails
 * @throws InvalidArgumentError when the options leave open what to read
 */
export async function loadDataset(options: DatasetOptions): Promise<Dataset> {
  return (await loadDatasetRecords(options)).dataset;
}

/** `loadDataset`, with the records; the same errors. */
export async function loadDatasetRecords(options: DatasetOptions): Promise<DatasetRecords> {
  const downloads = new Map<string, HubFile>();
  const locate = async (path: string): Promise<string> => {
    if (!isUrl(path)) return path;
    const cacheFolder = options.hub?.cacheFolder ?? join(userCacheFolder(), 'hub');
    const file = await fetchToCache(path, { ...options.hub, cacheFolder });
    downloads.set(path, file);
    return file.path;
  };
  const inputs = new InputSet({ locate, stdin: options.stdin });
  const { reader, files, detection } = await locateDataset(options, options, new InputSet({ locate }));
  const sink = new RecordSink(options);
  await reader.read(files, inputs, sink, options);
  for (const { path, sha256 } of inputs.records) {
    const download = downloads.get(path);
    if (download !== undefined) checkDownload(download, sha256);
  }

  const corpus = buildCorpus(sink.assets, options.tableText === undefined ? {} : { tableText: options.tableText });
  const { requests, products, sources } = buildRequests(sink.requests, corpus, {
    locate: sink.locateRequest,
    reject: sink.reject,
  });
  const dataset: Dataset = {
    name: options.name ?? nameOf(options.path ?? files[0]!.path),
    format: reader.format,
    detection,
    corpus,
    requests,
    products,
    inputs: [...inputs.records].sort((a, b) => compareCodeUnits(a.path, b.path)),
    dropped: sink.dropped,
  };
  const assets = [...sink.assets].sort((a, b) => corpus.rowOf(a.id)! - corpus.rowOf(b.id)!);
  return { assets, requests: Array.from(sources, (index) => sink.requests[index]!), dataset };
}

/** The last part of a path, without the endings of data files. */
function nameOf(path: string): string {
  return path === '-'
    ? 'stdin'
    : basename(path)
        .replace(/\.gz$/, '')
        .replace(/\.(?:jsonl?|tsv|txt)$/, '');
}
