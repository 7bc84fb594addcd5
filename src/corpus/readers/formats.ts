import { asofReader } from './asofReader.js';
import { beirReader } from './beirReader.js';
import type { DatasetFormat, DatasetReader } from './datasetReader.js';
import { dpdiscReader } from './dpdiscReader.js';
import { freshstackReader } from './freshstackReader.js';
import { tatqaReader } from './tatqaReader.js';
import { trecReader } from './trecReader.js';

/** Every format that a data set may be in. */
export const datasetReaders: readonly DatasetReader[] = [
  asofReader,
  tatqaReader,
  dpdiscReader,
  freshstackReader,
  beirReader,
  trecReader,
];

export const datasetFormats: readonly DatasetFormat[] = datasetReaders.map((reader) => reader.format);
