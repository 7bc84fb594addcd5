import { type Corpus, snapshotSize } from '../../corpus/corpus.js';
import type { Embedder } from '../../embedding/Embedder.js';
import type { Analyzer } from '../../retrieval/analysis/Analyzer.js';
import { namesOf } from '../../retrieval/analysis/names.js';
import { Bm25Retriever } from '../../retrieval/bm25/Bm25Retriever.js';
import { IndexSnapshot } from '../../retrieval/bm25/IndexSnapshot.js';
import type { InvertedIndex } from '../../retrieval/bm25/InvertedIndex.js';
import { buildInvertedIndex } from '../../retrieval/bm25/InvertedIndexBuilder.js';
import { DenseIndex } from '../../retrieval/dense/DenseIndex.js';
import type { FreshnessCandidates } from '../../retrieval/freshness/candidates.js';
import { termCandidates } from '../../retrieval/freshness/termCandidates.js';
import { convexFusion } from '../../retrieval/hybrid/convexFusion.js';
import type { TemporalIntent } from '../../retrieval/intent/temporalIntent.js';
import { type RankedBlock, rankedRows, rankedScores } from '../../retrieval/ranking.js';

/**
 * Where statistics of terms come from: the snapshot D_t, as they must, or the full corpus, as a date filter laid over an
 * index of everything has them. The rows are those of D_t either way.
 */
export type StatisticsOf = 'snapshot' | 'corpus';

/** What relevance is for the methods that rank by similarity. BM25 is scaled to [0, 1] from the query's least to best. */
export type Similarity = 'semantic' | 'lexical' | 'hybrid';

/** Offers what a corpus holds for queries as of their t, with or without a look at the future in its statistics. */
export class SnapshotRanker {
  readonly corpus: Corpus;
  readonly #index: InvertedIndex;
  readonly #names: InvertedIndex;
  readonly #embedder: Embedder | undefined;
  #dense: DenseIndex | undefined;
  readonly #snapshots = new Map<string, IndexSnapshot>();

  /** @param embedder for similarities other than `lexical` */
  constructor(corpus: Corpus, analyzer: Analyzer, embedder?: Embedder) {
    this.corpus = corpus;
    this.#index = buildInvertedIndex(corpus.texts, analyzer);
    this.#names = buildInvertedIndex(corpus.texts, namesOf(analyzer));
    this.#embedder = embedder;
  }

  /** Rows that hold a term of the query: the candidates of the method `coverage`. */
  byTerms(intent: TemporalIntent, statistics: StatisticsOf = 'snapshot'): FreshnessCandidates {
    const size = snapshotSize(this.corpus, intent.asOf);
    const source = {
      snapshot: this.#snapshot(this.#index, size),
      names: this.#snapshot(this.#names, size),
      eventAt: this.corpus.eventAt,
      idOrder: this.corpus.idOrder,
    };
    const leaking = { snapshot: this.#snapshot(this.#index), names: this.#snapshot(this.#names) };
    const counted = statistics === 'snapshot' ? source : leaking;
    return withinWindow(termCandidates(source, intent.text, intent.asOf, counted), intent);
  }

  /** Rows with a similarity to the query: all that have a vector, or share a term with it. */
  async bySimilarity(
    intent: TemporalIntent,
    similarity: Similarity,
    statistics: StatisticsOf = 'snapshot',
  ): Promise<FreshnessCandidates> {
    const { corpus } = this;
    const size = snapshotSize(corpus, intent.asOf);
    const block = await this.#similarities(intent.text, size, similarity, statistics);
    const rows = rankedRows(block, 0).filter((row) => row < size);
    const scores = rankedScores(block, 0).filter((_, at) => block.rows[at]! < size);
    return withinWindow(
      {
        asOf: intent.asOf,
        rows,
        ties: rows.map((row) => corpus.idOrder[row]!),
        eventAt: Float64Array.from(rows, (row) => corpus.eventAt[row]!),
        similarity: similarity === 'lexical' ? scaled(scores) : scores,
      },
      intent,
    );
  }

  async close(): Promise<void> {
    await this.#dense?.close();
  }

  async #similarities(
    text: string,
    size: number,
    similarity: Similarity,
    statistics: StatisticsOf,
  ): Promise<RankedBlock> {
    const { idOrder } = this.corpus;
    const lexical = () => {
      const snapshot = this.#snapshot(this.#index, statistics === 'corpus' ? undefined : size);
      return new Bm25Retriever(snapshot, idOrder).rankBlock([text], Math.max(1, snapshot.size));
    };
    if (similarity === 'lexical') return lexical();
    const semantic = await this.#semantic(text, size);
    if (similarity === 'semantic') return semantic;
    return convexFusion([lexical(), semantic], { weights: [0.5, 0.5], depth: Math.max(1, size), idOrder });
  }

  async #semantic(text: string, size: number): Promise<RankedBlock> {
    const embedder = this.#embedder!;
    if (this.#dense === undefined) {
      const { vectors, present } = await embedder.embed(this.corpus.texts);
      const { idOrder } = this.corpus;
      this.#dense = await DenseIndex.create({ matrix: vectors, dimension: embedder.dimension, present, idOrder });
    }
    const { vectors } = await embedder.embed([text]);
    return this.#dense.search(vectors, { depth: size, rows: size });
  }

  /** Snapshots are kept: they remember document frequencies. */
  #snapshot(index: InvertedIndex, size: number = index.size): IndexSnapshot {
    const key = `${index === this.#names ? 'names' : 'all'} ${size}`;
    let snapshot = this.#snapshots.get(key);
    if (snapshot === undefined) {
      snapshot = new IndexSnapshot(index, size);
      this.#snapshots.set(key, snapshot);
    }
    return snapshot;
  }
}

/** From the least to the greatest, 0 to 1; 1 where all are equal. */
function scaled(scores: Float64Array): Float64Array {
  const best = scores[0] ?? 0;
  const worst = scores.at(-1) ?? 0;
  return scores.map((score) => (best === worst ? 1 : (score - worst) / (best - worst)));
}

/** The candidates whose event time lies in the stretch that the query insists on. */
function withinWindow(candidates: FreshnessCandidates, intent: TemporalIntent): FreshnessCandidates {
  const { isStrict, from, before } = intent;
  if (!isStrict) return candidates;
  const { eventAt, terms, similarity } = candidates;
  const low = from ?? Number.NEGATIVE_INFINITY;
  const high = before ?? Number.POSITIVE_INFINITY;
  const kept = Uint32Array.from(eventAt.keys()).filter((at) => eventAt[at]! >= low && eventAt[at]! < high);
  const width = terms?.texts.length ?? 0;
  return {
    ...candidates,
    rows: kept.map((at) => candidates.rows[at]!),
    ties: kept.map((at) => candidates.ties[at]!),
    eventAt: Float64Array.from(kept, (at) => eventAt[at]!),
    similarity: similarity && Float64Array.from(kept, (at) => similarity[at]!),
    terms: terms && {
      ...terms,
      frequencies: Uint8Array.from(
        { length: kept.length * width },
        (_, at) => terms.frequencies[kept[Math.floor(at / width)]! * width + (at % width)]!,
      ),
    },
  };
}
