import { sha256Hex } from '../commitment/sha256.js';
import { type Corpus, snapshotSize } from '../corpus/corpus.js';
import type { Dataset } from '../corpus/dataset.js';
import type { Requests } from '../corpus/request.js';
import { InvalidInputError } from '../errors/InvalidInputError.js';
import { SparseSimilarity } from '../memory/vectorSimilarity.js';
import { newRankedBlock, type RankedBlock } from '../retrieval/ranking.js';
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
import { TmpIndex } from './tmpBm25.js';

/** Retrieves, fits and commits to everything that the streams of a domain share. */
export async function prepareDomain(name: string, dataset: Dataset, experiment: Experiment): Promise<PreparedDomain> {
  const { corpus, requests, products } = dataset;
  const assets = committedAssets(corpus);
  const textHashes = requests.texts.map((text) => sha256Hex(text));
  const visibleRows = visibleAt(corpus, requests, experiment.corpus, name);
  const index = new TmpIndex(corpus);
  const similarity = new SparseSimilarity({
    id: 'tfidf-cosine',
    hash: index.hash,
    vectors: index.vectors(requests.texts, Math.min(...visibleRows)),
  });
  const retrievers = experiment.retrievers.map((spec) => {
    const base = rankAll(requests.texts, visibleRows, experiment.baseDepth, (texts, rows) =>
      index.rank(texts, experiment.baseDepth, rows),
    );
    const listHashes = requests.ids.map((_, request) => baseListHash(base, request));
    return { label: specLabel(spec), hash: index.hash, base, listHashes, indexHash: indexHash(index.hash, listHashes) };
  });
  return {
    name,
    dataset,
    assets,
    textHashes,
    corpus: corpusCommitment(assets),
    typesHash: typesHash(assets),
    requestsHash: requestsHash({ ...requests, textHashes }),
    productsHash: productsHash(products.offsets, products.rows),
    visibleRows,
    similarity,
    vectorHashes: similarity.vectorHashes(),
    retrievers,
  };
}

/**
 * Rows of the snapshot at each request: the whole corpus under the paper's frozen reading; D_t at the request's own time
 * under the as-of reading.
 */
function visibleAt(corpus: Corpus, requests: Requests, reading: Experiment['corpus'], name: string): Uint32Array {
  return Uint32Array.from(requests.ids, (id, request) => {
    if (reading === 'frozen') return corpus.size;
    const observedAt = requests.observedAt[request]!;
    if (Number.isNaN(observedAt)) {
      throw new InvalidInputError({
        location: { file: name, field: `request ${id}: observedAt` },
        expected: 'an observation time for every request where the corpus is read as of it',
      });
    }
    return snapshotSize(corpus, observedAt);
  });
}

/** Base lists of all requests, each from its own snapshot; requests with the same snapshot are ranked as one block. */
function rankAll(
  texts: readonly string[],
  visibleRows: Uint32Array,
  depth: number,
  rank: (texts: readonly string[], rows: number) => RankedBlock,
): RankedBlock {
  const bySnapshot = new Map<number, number[]>();
  for (const [request, rows] of visibleRows.entries()) {
    const block = bySnapshot.get(rows);
    if (block) block.push(request);
    else bySnapshot.set(rows, [request]);
  }
  const all = newRankedBlock(texts.length, depth);
  for (const [rows, members] of bySnapshot) {
    const block = rank(
      members.map((request) => texts[request]!),
      rows,
    );
    for (const [i, request] of members.entries()) {
      all.lengths[request] = block.lengths[i]!;
      all.rows.set(block.rows.subarray(i * depth, (i + 1) * depth), request * depth);
      all.scores.set(block.scores.subarray(i * depth, (i + 1) * depth), request * depth);
    }
  }
  return all;
}
