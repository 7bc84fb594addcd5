import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { newRankedBlock, type RankedBlock, rankedRows, rankedScores, TopSelector } from '../ranking.js';

export interface FusionOptions {
  /** Entries of each fused list at most. */
  readonly depth: number;
  /** [size] the corpus's `idOrder`: breaks ties. */
  readonly idOrder: Uint32Array;
}

/** What an entry of a list adds to its row's fused score. */
export type Contribution = (rank: number, score: number) => number;

/**
 * Adds up, for every query, what each list gives to each row, and ranks the rows by the sum. A row that occurs twice in
 * one list counts once, at its best rank; a row that a list lacks gets nothing from it. Sums run in the order of `lists`.
 * @param contributionOf prepares list number `list` of a query from its scores, best first
 */
export function fuseLists(
  lists: readonly RankedBlock[],
  options: FusionOptions,
  contributionOf: (list: number, scores: Float64Array) => Contribution,
): RankedBlock {
  const queries = lists[0]?.lengths.length ?? 0;
  if (lists.some((list) => list.lengths.length !== queries)) {
    throw new InvalidArgumentError({
      argument: 'lists',
      value: lists.map((list) => list.lengths.length),
      expected: 'lists for the same queries',
    });
  }
  const result = newRankedBlock(queries, options.depth);
  const selector = new TopSelector(options.depth);
  const sums = new RowSums(options.idOrder.length);
  for (let query = 0; query < queries; query++) {
    for (const [number, list] of lists.entries()) {
      const rows = rankedRows(list, query);
      const scores = rankedScores(list, query);
      const contribution = contributionOf(number, scores);
      sums.startList();
      for (let i = 0; i < rows.length; i++) sums.add(rows[i]!, contribution(i + 1, scores[i]!));
    }
    for (const row of sums.rows()) selector.push(row, sums.of(row), options.idOrder[row]!);
    result.lengths[query] = selector.drain(result.rows, result.scores, query * options.depth);
    sums.clear();
  }
  return result;
}

/** Sums by corpus row, cleared in the number of rows touched rather than of all rows. */
class RowSums {
  readonly #sums: Float64Array;
  /** [size] number of the list that last added to the row; 0 for none since `clear`. */
  readonly #lastList: Uint32Array;
  readonly #touched: number[] = [];
  #list = 0;

  constructor(size: number) {
    this.#sums = new Float64Array(size);
    this.#lastList = new Uint32Array(size);
  }

  startList(): void {
    this.#list++;
  }

  add(row: number, value: number): void {
    if (this.#lastList[row] === this.#list) return;
    if (this.#lastList[row] === 0) this.#touched.push(row);
    this.#lastList[row] = this.#list;
    this.#sums[row]! += value;
  }

  rows(): readonly number[] {
    return this.#touched;
  }

  of(row: number): number {
    return this.#sums[row]!;
  }

  clear(): void {
    for (const row of this.#touched) {
      this.#sums[row] = 0;
      this.#lastList[row] = 0;
    }
    this.#touched.length = 0;
    this.#list = 0;
  }
}
