import { canonicalJson } from '../../commitment/canonicalJson.js';
import { sha256Hex } from '../../commitment/sha256.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { CandidatePool } from '../CandidatePool.js';
import { newRankedBlock, type RankedBlock } from '../ranking.js';
import { baseDepth, checkDepth, type Retriever } from '../retriever.js';
import type { IndexSnapshot } from './IndexSnapshot.js';
import { MaxScoreRanker } from './MaxScoreRanker.js';
import { type Bm25Parameters, checkBm25Parameters, defaultBm25Parameters } from './parameters.js';

/** Names the formula in `formula.ts`; a change of it that can change a score gets a new name. */
const formulaVersion = 'bm25/1';

/**
 * Base retrieval by BM25 over a snapshot (specification; formula and summing order in `formula.ts`). Every statistic is
 * the snapshot's. A row is ranked only when it shares a term with the query, so empty documents never are (case 28), and
 * every score is above 0 (case 25).
 */
export class Bm25Retriever implements Retriever {
  readonly id: string;
  readonly snapshot: IndexSnapshot;
  readonly parameters: Bm25Parameters;
  readonly #idOrder: Uint32Array;
  readonly #ranker: MaxScoreRanker;
  #hash: string | undefined;

  /**
   * @param idOrder [at least snapshot size] rank of each row's id (`corpus.idOrder`): the tie-breaker
   * @throws InvalidArgumentError when a parameter is out of range or `idOrder` does not cover the snapshot
   */
  constructor(snapshot: IndexSnapshot, idOrder: Uint32Array, parameters: Partial<Bm25Parameters> = {}) {
    this.parameters = { ...defaultBm25Parameters, ...parameters };
    checkBm25Parameters(this.parameters);
    if (idOrder.length < snapshot.size) {
      throw new InvalidArgumentError({
        argument: 'idOrder',
        value: `${idOrder.length} entries`,
        expected: `one entry for each of ${snapshot.size} rows`,
      });
    }
    this.snapshot = snapshot;
    this.id = `bm25/${snapshot.index.analyzer.id}`;
    this.#idOrder = idOrder;
    this.#ranker = new MaxScoreRanker(snapshot, this.parameters);
  }

  get hash(): string {
    this.#hash ??= sha256Hex(
      canonicalJson({ formula: formulaVersion, parameters: this.parameters, snapshot: this.snapshot.hash }),
    );
    return this.#hash;
  }

  rankBlock(queries: readonly string[], depth: number = baseDepth): RankedBlock {
    checkDepth(depth);
    const { analyzer } = this.snapshot.index;
    const block = newRankedBlock(queries.length, depth);
    const pool = new CandidatePool(depth);
    for (const [query, text] of queries.entries()) {
      this.#ranker.rank(analyzer.tokenize(text), pool);
      block.lengths[query] = pool.drain(this.#idOrder, block.rows, block.scores, query * depth);
    }
    return block;
  }
}
