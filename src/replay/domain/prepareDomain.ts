import type { Points } from '../../clustering/types.js';
import { canonicalJson } from '../../commitment/canonicalJson.js';
import { sha256Hex } from '../../commitment/sha256.js';
import type { Corpus } from '../../corpus/corpus.js';
import type { Dataset } from '../../corpus/dataset.js';
import type { Requests } from '../../corpus/request.js';
import type { Embedder } from '../../embedding/Embedder.js';
import { type AnalyzerName, analyzerNamed } from '../../retrieval/analysis/analyzerNamed.js';
import { IndexSnapshot } from '../../retrieval/bm25/IndexSnapshot.js';
import type { InvertedIndex } from '../../retrieval/bm25/InvertedIndex.js';
import { buildInvertedIndex } from '../../retrieval/bm25/InvertedIndexBuilder.js';
import { hashedDense } from '../../retrieval/lexical/hashedDense.js';
import { tfIdfVectors } from '../../retrieval/lexical/tfIdfVectors.js';
import { parseInstant } from '../../time/parseInstant.js';
import { committedAssets } from '../commitments.js';
import { type Experiment, lexicalAnalyzer, selectsByEmbedding } from '../experiment/experiment.js';
import { commitDomain, type DomainParts, type PreparedDomain, type RetrieverLists, snapshotsAt } from './domain.js';
import { type DomainEmbeddings, RetrieverPreparation } from './prepareRetrievers.js';

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
  const { corpus, products } = dataset;
  const requests = { ...dataset.requests, textHashes: dataset.requests.texts.map((text) => sha256Hex(text)) };
  const visibleRows = snapshotsAt(corpus, requests, experiment.corpus, name);
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
  const retrievers: RetrieverLists[] = [];
  for (const spec of experiment.retrievers) retrievers.push(await preparation.prepare(spec));
  const { similarity, points } = selectsByEmbedding(experiment)
    ? embeddingSimilarity(embeddings!)
    : lexicalSimilarity(index(lexicalAnalyzer(experiment)), requests, visibleRows);
  const domain = commitDomain(
    {
      name,
      assets: { ...committedAssets(corpus), idOrder: corpus.idOrder },
      requests,
      products,
      visibleRows,
      similarity,
      embedder: embeddings === undefined ? null : embedderContent(embeddings, experiment),
      retrievers,
    },
    experiment,
  );
  return { ...domain, dataset, points };
}

function embedderContent({ embedder }: DomainEmbeddings, experiment: Experiment): DomainParts['embedder'] {
  const { availableAt } = experiment.embedder;
  return {
    id: embedder.id,
    hash: embedder.hash,
    availableAt: availableAt === undefined ? null : parseInstant(availableAt),
  };
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
  readonly similarity: DomainParts['similarity'];
  readonly points: () => Points;
}

function embeddingSimilarity({ embedder, requests }: DomainEmbeddings): PreparedSimilarity {
  const { id, hash, dimension } = embedder;
  const { vectors: values, present } = requests;
  return {
    similarity: { id, hash, statistics: null, vectors: { kind: 'dense', dimension, values } },
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
    similarity: { id: 'tfidf-cosine', hash, statistics: snapshot.hash, vectors: lexical.vectors },
    points: () => ({
      matrix: hashedDense(lexical, { dimension: hashedDimension, seed: 0 }),
      count: requests.size,
      dimension: hashedDimension,
    }),
  };
}
