import { sha256Hex } from '../commitment/sha256.js';
import { type Corpus, snapshotSize } from '../corpus/corpus.js';
import type { Dataset } from '../corpus/dataset.js';
import type { Requests } from '../corpus/request.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import {
  baseListHash,
  committedAssets,
  corpusCommitment,
  indexHash,
  productsHash,
  requestsHash,
  typesHash,
} from './commitments.js';
import type { Experiment } from './experiment.js';
import type { PreparedDomain } from './runSink.js';
import { specLabel } from './specLabel.js';
