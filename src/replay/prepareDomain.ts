import { sha256Hex } from '../commitment/sha256.js';
import { type Corpus, snapshotSize } from '../corpus/corpus.js';
import type { Dataset } from '../corpus/dataset.js';
import type { Requests } from '../corpus/request.js';
import type { Embedder } from '../embedding/Embedder.js';
import { InvalidInputError } from '../errors/InvalidInputError.js';
import { similarityOf, type VectorSimilarity } from '../memory/vectorSimilarity.js';
import { committedAssets, corpusCommitment, productsHash, requestsHash, typesHash } from './commitments.js';
import { type Experiment, selectsByEmbedding } from './experiment.js';
import { type DomainEmbeddings, RetrieverPreparation } from './prepareRetrievers.js';
import type { PreparedDomain, PreparedRetriever } from './runSink.js';
import { TmpIndex } from './tmpBm25.js';

export interface PrepareOptions {
  /** Needed where the experiment retrieves or selects by embeddings. */
  readonly embedder?: Embedder | undefined;
  readonly onEmbedded?: ((done: number, total: number) => void) | undefined;
}

/** Retrieves, fits and commits to everything that the streams of a domain share. */
export async function prepareDomain(
  name: string,
  dataset: Dataset,
  experiment: Experiment,
  options: PrepareOptions = {},
): Promise<PreparedDomain> {
  const { corpus, requests, products } = dataset;
  const assets = committedAssets(corpus);
  const textHashes = requests.texts.map((text) => sha256Hex(text));
  const visibleRows = visibleAt(corpus, requests, experiment.corpus, name);
  const index = new TmpIndex(corpus);
  const embeddings = await embedDomain(corpus, requests, experiment, options);
  const preparation = new RetrieverPreparation({
    corpus,
    requests,
    visibleRows,
    experiment,
    index: () => index,
    embeddings,
  });
  const retrievers: PreparedRetriever[] = [];
  for (const spec of experiment.retrievers) retrievers.push(await preparation.prepare(spec));
  const similarity = selectsByEmbedding(experiment)
    ? embeddingSimilarity(embeddings!)
    : lexicalSimilarity(index, requests, visibleRows);
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

async function embedDomain(
  corpus: Corpus,
  requests: Requests,
  experiment: Experiment,
  { embedder, onEmbedded }: PrepareOptions,
): Promise<DomainEmbeddings | undefined> {
  if (embedder === undefined) return undefined;
  const needsAssets = experiment.retrievers.some(({ kind }) => kind !== 'bm25');
  const texts = needsAssets ? corpus.texts : [];
  const total = texts.length + requests.size;
  const embeddedAssets = await embedder.embed(texts, { onProgress: (done) => onEmbedded?.(done, total) });
  const embeddedRequests = await embedder.embed(requests.texts, {
    onProgress: (done) => onEmbedded?.(texts.length + done, total),
  });
  return { embedder, assets: embeddedAssets, requests: embeddedRequests };
}

function embeddingSimilarity({ embedder, requests }: DomainEmbeddings): VectorSimilarity {
  const { id, hash, dimension } = embedder;
  return similarityOf({ id, hash, vectors: { kind: 'dense', dimension, values: requests.vectors } });
}

/**
 * TF-IDF cosine. Its document frequencies are those of the earliest snapshot that any request sees: what was known when
 * the stream began, and the same for every condition.
 */
function lexicalSimilarity(index: TmpIndex, requests: Requests, visibleRows: Uint32Array): VectorSimilarity {
  const rows = visibleRows.reduce((least, count) => Math.min(least, count), Number.POSITIVE_INFINITY);
  return similarityOf({
    id: 'tfidf-cosine',
    hash: index.hash,
    vectors: index.vectors(requests.texts, Number.isFinite(rows) ? rows : 0),
  });
}
