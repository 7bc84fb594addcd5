import { type Products, productOf } from '../corpus/products.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { NonFiniteScoreError } from '../errors/NonFiniteScoreError.js';
import { type RankedBlock, rankedRows, rankedScores } from '../retrieval/ranking.js';

/**
 * How entries of equal score are ordered in a TREC run.
 * - `asof`: as ranked (base rank, then asset id ascending). trec_eval ignores the rank column and breaks ties its own
 *   way, so its figures can differ from asof's where scores tie.
 * - `trec_eval`: as trec_eval orders what it reads: score as a 32-bit float descending, then id descending by bytes.
 *   Evaluating this order gives trec_eval's figures.
 */
export type TieRule = 'asof' | 'trec_eval';

/** Rankings to write, one list per query. */
export interface TrecRun {
  /** [queries] query ids. */
  readonly queryIds: readonly string[];
  readonly lists: RankedBlock;
  /** [corpus size] asset ids. */
  readonly assetIds: readonly string[];
}

/**
 * Lines of a TREC run, `query Q0 asset rank score tag`, one chunk per query in the order given; ranks from 1. Scores are
 * written so that they read back to the same number; under `trec_eval` they are rounded to the 32 bits that trec_eval
 * reads, so that what ties for it ties for every reader.
 *
 * @throws InvalidArgumentError when an id or the tag is empty or holds white space, which the format cannot carry
 * @throws NonFiniteScoreError for a NaN or infinite score
 */
export function* formatTrecRun(run: TrecRun, options: { tag: string; tieRule: TieRule }): Generator<string> {
  requireToken(options.tag, 'tag');
  for (const [query, queryId] of run.queryIds.entries()) {
    requireToken(queryId, `queryIds[${query}]`);
    const rows = rankedRows(run.lists, query);
    const scores = rankedScores(run.lists, query);
    const order = options.tieRule === 'asof' ? rows.keys() : trecEvalOrder(rows, scores, run.assetIds);
    let lines = '';
    let rank = 0;
    for (const at of order) {
      const assetId = run.assetIds[rows[at]!]!;
      requireToken(assetId, `assetIds[${rows[at]}]`);
      const score = options.tieRule === 'asof' ? scores[at]! : Math.fround(scores[at]!);
      if (!Number.isFinite(score)) {
        throw new NonFiniteScoreError({ source: `query ${queryId}`, item: assetId, score: scores[at]! });
      }
      lines += `${queryId} Q0 ${assetId} ${++rank} ${score} ${options.tag}\n`;
    }
    yield lines;
  }
}

/** Positions of a list in the order in which trec_eval ranks it: score as a 32-bit float, then id, both descending. */
export function trecEvalOrder(rows: Uint32Array, scores: Float64Array, assetIds: readonly string[]): Uint32Array {
  // trec_eval compares ids byte by byte (strcmp), which on UTF-8 is not the code-unit order of the rest of asof.
  const ids = Array.from(rows, (row) => Buffer.from(assetIds[row]!, 'utf8'));
  const single = Float32Array.from(scores);
  return Uint32Array.from(rows.keys()).sort((a, b) =>
    single[a]! !== single[b]! ? (single[a]! > single[b]! ? -1 : 1) : Buffer.compare(ids[b]!, ids[a]!),
  );
}

/** Relevance labels to write. */
export interface TrecQrels {
  /** [queries] query ids. */
  readonly queryIds: readonly string[];
  readonly products: Products;
  /** [products.rows] grade of each label, a positive integer; absent: all 1. */
  readonly grades?: ArrayLike<number>;
  /** [corpus size] asset ids. */
  readonly assetIds: readonly string[];
}

/**
 * Lines of a TREC qrels file, `query 0 asset grade`, one chunk per query in the order given.
 *
 * @throws InvalidArgumentError for an id that the format cannot carry, or a grade that is not a positive integer
 */
export function* formatTrecQrels(qrels: TrecQrels): Generator<string> {
  const { products, grades } = qrels;
  for (const [query, queryId] of qrels.queryIds.entries()) {
    requireToken(queryId, `queryIds[${query}]`);
    let lines = '';
    for (const [member, row] of productOf(products, query).entries()) {
      const label = products.offsets[query]! + member;
      const grade = grades === undefined ? 1 : grades[label]!;
      if (!Number.isInteger(grade) || grade < 1) {
        throw new InvalidArgumentError({ argument: `grades[${label}]`, value: grade, expected: 'a positive integer' });
      }
      const assetId = qrels.assetIds[row]!;
      requireToken(assetId, `assetIds[${row}]`);
      lines += `${queryId} 0 ${assetId} ${grade}\n`;
    }
    yield lines;
  }
}

function requireToken(text: string, argument: string): void {
  if (/^\S+$/u.test(text)) return;
  throw new InvalidArgumentError({
    argument,
    value: text,
    expected: 'text without white space: fields of a TREC file are separated by it',
  });
}
