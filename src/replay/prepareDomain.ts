import type { Points } from '../clustering/types.js';
import { canonicalJson } from '../commitment/canonicalJson.js';
import { sha256Hex } from '../commitment/sha256.js';
import { type Corpus, snapshotSize } from '../corpus/corpus.js';
import type { Dataset } from '../corpus/dataset.js';
import type { Requests } from '../corpus/request.js';
import type { Embedder } from '../embedding/Embedder.js';
import { InvalidInputError } from '../errors/InvalidInputError.js';
import { similarityOf, type VectorSimilarity } from '../memory/vectorSimilarity.js';
import { type AnalyzerName, analyzerNamed } from '../retrieval/analysis/analyzerNamed.js';
import { IndexSnapshot } from '../retrieval/bm25/IndexSnapshot.js';
import type { InvertedIndex } from '../retrieval/bm25/InvertedIndex.js';
import { buildInvertedIndex } from '../retrieval/bm25/InvertedIndexBuilder.js';
import { hashedDense } from '../retrieval/lexical/hashedDense.js';
import { tfIdfVectors } from '../retrieval/lexical/tfIdfVectors.js';
import { committedAssets, corpusCommitment, productsHash, requestsHash, typesHash } from './commitments.js';
import { type Experiment, selectsByEmbedding } from './experiment.js';
import { type DomainEmbeddings, RetrieverPreparation } from './prepareRetrievers.js';
import type { PreparedDomain, PreparedRetriever } from './runSink.js';

/** Columns of the hashed lexical vectors that semantic streams cluster where there are no embeddings. */
const hashedDimension = 512;

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
  const index = indexByAnalyzer(corpus);
  const embeddings = await embedDomain(corpus, requests, experiment, options);
  const preparation = new RetrieverPreparation({
    corpus,
    requests,
    visibleRows,
    experiment,
    index,
    embeddings,
  });
  const retrievers: PreparedRetriever[] = [];
  for (const spec of experiment.retrievers) retrievers.push(await preparation.prepare(spec));
  const { similarity, points } = selectsByEmbedding(experiment)
    ? embeddingSimilarity(embeddings!)
    : lexicalSimilarity(index(lexicalAnalyzer(experiment)), requests, visibleRows);
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
    points,
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

/** A similarity, and the same requests as points for clustering. */
interface PreparedSimilarity {
  readonly similarity: VectorSimilarity;
  readonly points: () => Points;
}

function embeddingSimilarity({ embedder, requests }: DomainEmbeddings): PreparedSimilarity {
  const { id, hash, dimension } = embedder;
  const { vectors: values, present } = requests;
  return {
    similarity: similarityOf({ id, hash, vectors: { kind: 'dense', dimension, values } }),
    points: () => ({ matrix: values, count: present.length, dimension }),
  };
}

/** Indexes of the corpus, built when an analyzer is first asked for. */
function indexByAnalyzer(corpus: Corpus): (analyzer: AnalyzerName) => InvertedIndex {
  const indexes = new Map<AnalyzerName, InvertedIndex>();
  return (analyzer) => {
    const index = indexes.get(analyzer) ?? buildInvertedIndex(corpus.texts, analyzerNamed(analyzer));
    indexes.set(analyzer, index);
    return index;
  };
}

/** Requests are compared as the first lexical retriever reads them. */
function lexicalAnalyzer({ retrievers }: Experiment): AnalyzerName {
  for (const spec of retrievers) if ('analyzer' in spec) return spec.analyzer;
  return 'plain';
}

/**
 * TF-IDF cosine. Its document frequencies are those of the earliest snapshot that any request sees: what was known when
 * the stream began, and the same for every condition.
 */
function lexicalSimilarity(index: InvertedIndex, requests: Requests, visibleRows: Uint32Array): PreparedSimilarity {
  const rows = visibleRows.reduce((least, count) => Math.min(least, count), index.size);
  const snapshot = new IndexSnapshot(index, rows);
  const lexical = tfIdfVectors(snapshot, requests.texts);
  const hash = sha256Hex(canonicalJson({ similarity: 'tfidf-cosine/1', snapshot: snapshot.hash }));
  return {
    similarity: similarityOf({ id: 'tfidf-cosine', hash, vectors: lexical.vectors }),
    points: () => ({
      matrix: hashedDense(lexical, { dimension: hashedDimension, seed: 0 }),
      count: requests.size,
      dimension: hashedDimension,
    }),
  };
}
