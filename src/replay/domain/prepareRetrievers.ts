import { canonicalJson } from '../../commitment/canonicalJson.js';
import { sha256Hex } from '../../commitment/sha256.js';
import type { Corpus } from '../../corpus/corpus.js';
import type { Requests } from '../../corpus/request.js';
import type { Embedder, Embeddings } from '../../embedding/Embedder.js';
import type { AnalyzerName } from '../../retrieval/analysis/analyzerNamed.js';
import { Bm25Retriever } from '../../retrieval/bm25/Bm25Retriever.js';
import { IndexSnapshot } from '../../retrieval/bm25/IndexSnapshot.js';
import type { InvertedIndex } from '../../retrieval/bm25/InvertedIndex.js';
import { DenseIndex } from '../../retrieval/dense/DenseIndex.js';
import { convexFusion } from '../../retrieval/hybrid/convexFusion.js';
import { reciprocalRankFusion } from '../../retrieval/hybrid/reciprocalRankFusion.js';
import { newRankedBlock, type RankedBlock } from '../../retrieval/ranking.js';
import type { Experiment, RetrieverSpec } from '../experiment/experiment.js';
import { specLabel } from '../experiment/specLabel.js';
import type { RetrieverLists } from './domain.js';

/** Lists of a base retriever for all requests, and what they came from. */
type BaseLists = Omit<RetrieverLists, 'label'>;

type LexicalParameters = Omit<Extract<RetrieverSpec, { kind: 'bm25' }>, 'kind'>;

/** Texts embedded for a domain. */
export interface DomainEmbeddings {
  readonly embedder: Pick<Embedder, 'id' | 'hash' | 'dimension'>;
  readonly assets: Embeddings;
  readonly requests: Embeddings;
}

/** Runs every base retriever of an experiment once; what two of them share (a BM25 list, the dense list) is shared. */
export class RetrieverPreparation {
  readonly #corpus: Corpus;
  readonly #requests: Requests;
  readonly #visibleRows: Uint32Array;
  readonly #experiment: Experiment;
  readonly #depth: number;
  readonly #index: (analyzer: AnalyzerName) => InvertedIndex;
  readonly #embeddings: DomainEmbeddings | undefined;
  readonly #lexical = new Map<string, BaseLists>();
  #dense: BaseLists | undefined;

  constructor(options: {
    corpus: Corpus;
    requests: Requests;
    visibleRows: Uint32Array;
    experiment: Experiment;
    index: (analyzer: AnalyzerName) => InvertedIndex;
    embeddings: DomainEmbeddings | undefined;
  }) {
    this.#corpus = options.corpus;
    this.#requests = options.requests;
    this.#visibleRows = options.visibleRows;
    this.#experiment = options.experiment;
    this.#depth = options.experiment.baseDepth;
    this.#index = options.index;
    this.#embeddings = options.embeddings;
  }

  async prepare(spec: RetrieverSpec): Promise<RetrieverLists> {
    return { label: specLabel(spec), ...(await this.#listsOf(spec)) };
  }

  async #listsOf(spec: RetrieverSpec): Promise<BaseLists> {
    switch (spec.kind) {
      case 'bm25':
        return this.#bm25(spec);
      case 'dense':
        return this.#denseLists();
      case 'hybrid': {
        const lexical = await this.#bm25(spec);
        const dense = await this.#denseLists();
        const lists = [lexical.base, dense.base];
        const options = { depth: this.#depth, idOrder: this.#corpus.idOrder };
        const { fusion, constant, denseWeight } = spec;
        const base =
          fusion === 'rrf'
            ? reciprocalRankFusion(lists, { ...options, constant, listDepth: this.#depth })
            : convexFusion(lists, { ...options, weights: [1 - denseWeight, denseWeight] });
        const parameters = fusion === 'rrf' ? { fusion, constant } : { fusion, denseWeight };
        const hash = sha256Hex(canonicalJson({ lexical: lexical.hash, dense: dense.hash, ...parameters }));
        return { base, hash, statistics: lexical.statistics };
      }
    }
  }

  async #bm25({ k1, b, analyzer, lengths }: LexicalParameters): Promise<BaseLists> {
    const key = canonicalJson({ k1, b, analyzer, lengths });
    let lists = this.#lexical.get(key);
    if (lists === undefined) {
      const index = this.#index(analyzer);
      const retrieverOf = (rows: number) =>
        new Bm25Retriever(new IndexSnapshot(index, rows), this.#corpus.idOrder, { k1, b, lengths });
      const { texts } = this.#requests;
      const base = await this.#rankBySnapshot(async (members, rows) =>
        retrieverOf(rows).rankBlock(
          members.map((request) => texts[request]!),
          this.#depth,
        ),
      );
      lists = { base, ...lexicalContent(retrieverOf, index, this.#experiment.corpus) };
      this.#lexical.set(key, lists);
    }
    return lists;
  }

  async #denseLists(): Promise<BaseLists> {
    if (this.#dense === undefined) {
      const { embedder, assets, requests } = this.#embeddings!;
      const { dimension } = embedder;
      const index = await DenseIndex.create({
        matrix: assets.vectors,
        dimension,
        present: assets.present,
        idOrder: this.#corpus.idOrder,
      });
      try {
        const base = await this.#rankBySnapshot((members, rows) => {
          const queries = new Float32Array(members.length * dimension);
          for (const [i, request] of members.entries()) {
            queries.set(requests.vectors.subarray(request * dimension, (request + 1) * dimension), i * dimension);
          }
          return index.search(queries, { depth: this.#depth, rows });
        });
        const hash = sha256Hex(canonicalJson({ retriever: 'dense-cosine/1', embedder: embedder.hash }));
        this.#dense = { base, hash, statistics: null };
      } finally {
        await index.close();
      }
    }
    return this.#dense;
  }

  /** Lists of all requests, each from its own snapshot; requests with the same snapshot are ranked as one block. */
  async #rankBySnapshot(
    rank: (requests: readonly number[], rows: number) => Promise<RankedBlock>,
  ): Promise<RankedBlock> {
    const bySnapshot = new Map<number, number[]>();
    for (const [request, rows] of this.#visibleRows.entries()) {
      const members = bySnapshot.get(rows);
      if (members) members.push(request);
      else bySnapshot.set(rows, [request]);
    }
    const depth = this.#depth;
    const all = newRankedBlock(this.#requests.size, depth);
    for (const [rows, members] of bySnapshot) {
      const block = await rank(members, rows);
      for (const [i, request] of members.entries()) {
        all.lengths[request] = block.lengths[i]!;
        all.rows.set(block.rows.subarray(i * depth, (i + 1) * depth), request * depth);
        all.scores.set(block.scores.subarray(i * depth, (i + 1) * depth), request * depth);
      }
    }
    return all;
  }
}

/**
 * Identity of a lexical retriever and of the statistics that it was fitted with. Under the as-of reading it takes them anew
 * from every snapshot, which the rows name; its own identity must not depend on what is available later.
 */
function lexicalContent(
  retrieverOf: (rows: number) => Bm25Retriever,
  index: InvertedIndex,
  reading: Experiment['corpus'],
): Pick<BaseLists, 'hash' | 'statistics'> {
  if (reading === 'frozen') {
    return { hash: retrieverOf(index.size).hash, statistics: new IndexSnapshot(index, index.size).hash };
  }
  const hash = sha256Hex(
    canonicalJson({ retriever: retrieverOf(0).hash, statistics: 'of the snapshot at the anchor' }),
  );
  return { hash, statistics: null };
}
