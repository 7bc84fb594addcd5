import type { Analyzer } from '../analysis/Analyzer.js';
import { CandidatePool } from '../CandidatePool.js';
import { newRankedBlock, type RankedBlock } from '../ranking.js';
import { checkDepth } from '../retriever.js';
import { MaxScoreRanker } from './MaxScoreRanker.js';
import { type Bm25Parameters, checkBm25Parameters, defaultBm25Parameters } from './parameters.js';
import { queryTerms } from './queryTerms.js';
import type { SegmentedSnapshot } from './SegmentedSnapshot.js';

/**
 * BM25 over a snapshot of several segments: lists and scores are, to the bit, those of one index built from the
 * snapshot's live documents (formula and summing order in `formula.ts`; the order is of document frequencies in the whole).
 */
export class SegmentedBm25 {
  readonly snapshot: SegmentedSnapshot;
  readonly #analyzer: Analyzer;
  readonly #rankers: readonly MaxScoreRanker[];
  readonly #idOrder: Uint32Array;

  /**
   * @param idOrder [rows of the whole] tie key of each row; distinct among live rows
   * @throws InvalidArgumentError when a parameter is out of range
   */
  constructor(
    snapshot: SegmentedSnapshot,
    analyzer: Analyzer,
    idOrder: Uint32Array,
    parameters: Bm25Parameters = defaultBm25Parameters,
  ) {
    checkBm25Parameters(parameters);
    this.snapshot = snapshot;
    this.#analyzer = analyzer;
    this.#idOrder = idOrder;
    this.#rankers = snapshot.parts.map(
      (part, at) => new MaxScoreRanker(part, parameters, { statistics: snapshot, firstRow: snapshot.firstRows[at]! }),
    );
  }

  /**
   * Ranks the live rows that share a term with the query.
   *
   * @param excluded of each part, [its size] 1 where a row must not be returned, dead ones included; statistics stay
   * those of the snapshot. The dead ones by default
   * @throws InvalidArgumentError when `depth` is not a positive integer
   */
  rank(query: string, depth: number, excluded?: readonly Uint8Array[]): RankedBlock {
    checkDepth(depth);
    const pool = new CandidatePool(depth);
    const terms = queryTerms(this.#analyzer.tokenize(query), this.snapshot);
    const prepared = this.#rankers.map((ranker) => ranker.prepare(terms));
    pool.start(prepared.reduce((largest, { bound }) => Math.max(largest, bound), 0));
    for (const [part, ranker] of this.#rankers.entries()) ranker.collect(prepared[part]!, pool, excluded?.[part]);
    const block = newRankedBlock(1, Math.min(depth, Math.max(1, this.snapshot.documentCount)));
    block.lengths[0] = pool.drain(this.#idOrder, block.rows, block.scores);
    return block;
  }
}
