import type { DatasetFormat } from './readers/datasetReader.js';

/** A public data set that asof reads, and where people get it. */
export interface KnownDataset {
  readonly name: string;
  readonly format: DatasetFormat;
  readonly what: string;
  readonly licence: string;
  /** Page of its makers. */
  readonly origin: string;
  /** How to get the files: an address that `path` takes as it is, or what to do. */
  readonly get: string;
  /** Clocks that it records. */
  readonly clocks: string;
}

export const knownDatasets: readonly KnownDataset[] = [
  {
    name: 'TAT-QA',
    format: 'tatqa',
    what: 'questions over tables and paragraphs of financial reports',
    licence: 'CC BY 4.0',
    origin: 'https://github.com/NExTplusplus/TAT-QA',
    get: 'https://raw.githubusercontent.com/NExTplusplus/TAT-QA/master/dataset_raw/tatqa_dataset_dev.json',
    clocks: 'none',
  },
  {
    name: 'DPDisc (DPBench)',
    format: 'dpdisc',
    what: 'data product requests over tables and passages of HybridQA, TAT-QA and ConvFinQA',
    licence: 'see the release; sources MIT (HybridQA, ConvFinQA) and CC BY 4.0 (TAT-QA)',
    origin: 'https://arxiv.org/abs/2510.21737',
    get: 'download a domain of the release into a folder: *_corpus.jsonl, *_train.jsonl, *_dev.jsonl, *_test.jsonl',
    clocks: 'none',
  },
  {
    name: 'FreshStack',
    format: 'freshstack',
    what: 'dated questions of developers over chunks of repositories, five topics',
    licence: 'CC BY-SA 4.0',
    origin: 'https://github.com/fresh-stack/freshstack',
    get: 'export a topic of freshstack/corpus-oct-2024 and freshstack/queries-oct-2024 as corpus.jsonl and queries.jsonl',
    clocks: 'when a question was asked',
  },
  {
    name: 'BEIR',
    format: 'beir',
    what: 'retrieval collections of many domains',
    licence: 'of each collection',
    origin: 'https://github.com/beir-cellar/beir',
    get: 'unpack a collection into a folder: corpus.jsonl, queries.jsonl, qrels/<split>.tsv',
    clocks: 'none',
  },
  {
    name: 'TREC collections',
    format: 'trec',
    what: 'test collections of TREC tracks',
    licence: 'of each collection; topics and judgements are public',
    origin: 'https://trec.nist.gov',
    get: 'put the documents as collection.tsv or corpus.jsonl beside the topics and qrels of a track',
    clocks: 'none',
  },
];
