import { scaleRowsToUnitLength } from '../../embedding/unitRows.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { MatrixProduct, productErrorBound } from '../../inference/MatrixProduct.js';
import type { SessionOptions } from '../../inference/OnnxSession.js';
import { newRankedBlock, type RankedBlock, TopSelector } from '../ranking.js';
import { CandidateList } from './CandidateList.js';
import { cosineOf, innerProducts } from './cosine.js';

/** Vectors row for row with a corpus, in availability order. */
export interface DenseRows {
  /** [size, dimension] row-major. The index takes it over and scales its rows to length 1 in place. */
  readonly matrix: Float32Array;
  readonly dimension: number;
  /** [size] 1 where the row has a vector. */
  readonly present: Uint8Array;
  /** [size] the corpus's `idOrder`: breaks ties. */
  readonly idOrder: Uint32Array;
}

/** Which rows take part in a search, and how ties are broken. */
export interface DenseSearchOptions {
  /** Entries of each list at most. */
  readonly depth: number;
  /** Rows of the snapshot: only the first `rows` are searched; all by default. */
  readonly rows?: number | undefined;
  /** [size] 0 where a row must not be returned (superseded or withdrawn inside the snapshot); all count by default. */
  readonly eligible?: Uint8Array | undefined;
  /** Scores held at a time; bounds memory, and no result depends on it. */
  readonly scoresPerBlock?: number | undefined;
}

/** Queries scored together: enough to reuse each row of the matrix while it is in the cache. */
const queriesPerBlock = 128;
const defaultScoresPerBlock = 2 ** 19;
/** Lengths of scaled rows differ from 1 by at most 2^-24 each, so this covers inner product against cosine. */
const scalingError = 1e-6;

/**
 * Exact nearest neighbours by cosine over a prefix of the rows: the snapshot is a view of the matrix, not a copy.
 *
 * ONNX Runtime multiplies in single precision, in an order of its own. Its scores only choose candidates, with a
 * margin that covers every rounding error; candidates are then scored by `innerProducts` in double precision and ranked by
 * the one comparator. So neither scores nor order depend on threads, blocks or machine (docs/decisions/exact-search.md).
 */
export class DenseIndex {
  readonly size: number;
  readonly dimension: number;
  /** Rows without a vector. */
  readonly absentRows: number;
  /** Rows whose vector is zero: they have no direction and are never ranked. */
  readonly zeroRows: number;
  readonly #matrix: Float32Array;
  readonly #norms: Float64Array;
  readonly #idOrder: Uint32Array;
  readonly #product: MatrixProduct;

  private constructor(rows: DenseRows, product: MatrixProduct) {
    const { matrix, dimension, present, idOrder } = rows;
    this.size = present.length;
    this.dimension = dimension;
    this.absentRows = present.reduce((count, flag) => count + (flag ? 0 : 1), 0);
    const { norms } = scaleRowsToUnitLength(matrix, dimension);
    let zeroRows = 0;
    for (let row = 0; row < this.size; row++) {
      if (!present[row]) norms[row] = 0;
      else if (norms[row] === 0) zeroRows++;
    }
    this.zeroRows = zeroRows;
    this.#norms = norms;
    this.#matrix = matrix;
    this.#idOrder = idOrder;
    this.#product = product;
  }

  /** @throws InvalidArgumentError when sizes do not fit together, or a vector holds a NaN or an infinity */
  static async create(rows: DenseRows, options: SessionOptions = {}): Promise<DenseIndex> {
    const { matrix, dimension, present, idOrder } = rows;
    if (matrix.length !== present.length * dimension || idOrder.length !== present.length) {
      throw new InvalidArgumentError({
        argument: 'matrix, present, idOrder',
        value: [matrix.length, present.length, idOrder.length],
        expected: `sizes of rows x ${dimension}, rows, rows`,
      });
    }
    const product = await MatrixProduct.open(options);
    try {
      return new DenseIndex(rows, product);
    } catch (error) {
      await product.close();
      throw error;
    }
  }

  /**
   * Ranks the rows of the snapshot for each query. A query whose vector is zero (an empty text) has an empty list.
   * @param queries [queries, dimension]; any lengths
   */
  async search(queries: Float32Array, options: DenseSearchOptions): Promise<RankedBlock> {
    const { depth, rows = this.size } = options;
    this.#check(queries, options);
    const unitQueries = Float32Array.from(queries);
    const { norms } = scaleRowsToUnitLength(unitQueries, this.dimension);
    const result = newRankedBlock(norms.length, depth);
    if (depth === 0) return result;
    const error = productErrorBound(this.dimension, 1 + scalingError, 1 + scalingError) + scalingError;
    const lists = Array.from(
      { length: Math.min(queriesPerBlock, norms.length) },
      () => new CandidateList(depth, error),
    );
    const selector = new TopSelector(depth);
    for (let start = 0; start < norms.length; start += queriesPerBlock) {
      const end = Math.min(norms.length, start + queriesPerBlock);
      const block = unitQueries.subarray(start * this.dimension, end * this.dimension);
      await this.#collect(block, lists, rows, options);
      for (let query = start; query < end; query++) {
        const candidates = lists[query - start]!.take();
        if (norms[query] === 0) continue;
        const vector = unitQueries.subarray(query * this.dimension, (query + 1) * this.dimension);
        this.#scoreExactly(vector, norms[query]!, candidates, selector);
        result.lengths[query] = selector.drain(result.rows, result.scores, query * depth);
      }
    }
    return result;
  }

  /** Whether a row can be ranked: it has a vector, and the vector a direction. */
  hasDirection(row: number): boolean {
    return this.#norms[row]! > 0;
  }

  /** [dimension] the vector of a row, of length 1; a view. */
  vector(row: number): Float32Array {
    return this.#matrix.subarray(row * this.dimension, (row + 1) * this.dimension);
  }

  /**
   * Cosine of one query with some rows, to the bit what `search` gives.
   * @param query [dimension], not zero; any length
   * @param rows rows that have a direction
   */
  score(query: Float32Array, rows: Uint32Array): Float64Array {
    const unit = Float32Array.from(query);
    const { norms } = scaleRowsToUnitLength(unit, this.dimension);
    const scores = new Float64Array(rows.length);
    innerProducts(Float64Array.from(unit), this.#matrix, rows, this.dimension, scores);
    for (let at = 0; at < rows.length; at++) {
      scores[at] = cosineOf(scores[at]!, norms[0]!, this.#norms[rows[at]!]!);
    }
    return scores;
  }

  /** Frees the matrix and its threads. */
  close(): Promise<void> {
    return this.#product.close();
  }

  /** Fills `lists` with the candidates of a block of queries, chunk by chunk of rows. */
  async #collect(queries: Float32Array, lists: CandidateList[], rows: number, options: DenseSearchOptions) {
    const { eligible, scoresPerBlock = defaultScoresPerBlock } = options;
    const count = queries.length / this.dimension;
    const chunk = Math.max(1, Math.min(rows, Math.floor(scoresPerBlock / count)));
    const buffer = new Float32Array(chunk * count);
    for (let first = 0; first < rows; first += chunk) {
      const width = Math.min(chunk, rows - first);
      const scores = buffer.subarray(0, width * count);
      const view = this.#matrix.subarray(first * this.dimension, (first + width) * this.dimension);
      await this.#product.multiply(queries, view, this.dimension, scores);
      for (let query = 0; query < count; query++) {
        this.#scan(scores.subarray(query * width, (query + 1) * width), first, lists[query]!, eligible);
      }
    }
  }

  #scan(scores: Float32Array, first: number, list: CandidateList, eligible: Uint8Array | undefined): void {
    const norms = this.#norms;
    const whole = scores.length & ~7;
    let threshold = list.threshold;
    let i = 0;
    while (i < scores.length) {
      // Nearly all scores are below the threshold: step over them eight at a time.
      while (
        i < whole &&
        scores[i]! < threshold &&
        scores[i + 1]! < threshold &&
        scores[i + 2]! < threshold &&
        scores[i + 3]! < threshold &&
        scores[i + 4]! < threshold &&
        scores[i + 5]! < threshold &&
        scores[i + 6]! < threshold &&
        scores[i + 7]! < threshold
      ) {
        i += 8;
      }
      const end = i < whole ? i + 8 : scores.length;
      for (; i < end; i++) {
        if (scores[i]! < threshold) continue;
        const row = first + i;
        if (norms[row] === 0 || (eligible !== undefined && eligible[row] === 0)) continue;
        list.push(row, scores[i]!);
        threshold = list.threshold;
      }
    }
  }

  #scoreExactly(query: Float32Array, norm: number, candidates: Uint32Array, selector: TopSelector) {
    const products = new Float64Array(candidates.length);
    innerProducts(Float64Array.from(query), this.#matrix, candidates, this.dimension, products);
    for (let i = 0; i < candidates.length; i++) {
      const row = candidates[i]!;
      selector.push(row, cosineOf(products[i]!, norm, this.#norms[row]!), this.#idOrder[row]!);
    }
  }

  #check(queries: Float32Array, { depth, rows = this.size, eligible, scoresPerBlock = 1 }: DenseSearchOptions): void {
    const refuse = (argument: string, value: unknown, expected: string) =>
      new InvalidArgumentError({ argument, value, expected });
    if (queries.length % this.dimension !== 0) {
      throw refuse('queries', queries.length, `rows of ${this.dimension} numbers`);
    }
    if (!Number.isInteger(depth) || depth < 0) throw refuse('depth', depth, 'an integer of at least 0');
    if (!Number.isInteger(rows) || rows < 0 || rows > this.size) {
      throw refuse('rows', rows, `an integer in 0..${this.size}`);
    }
    if (eligible !== undefined && eligible.length < rows) {
      throw refuse('eligible', eligible.length, `a flag for each of the ${rows} rows`);
    }
    if (!(scoresPerBlock >= 1)) throw refuse('scoresPerBlock', scoresPerBlock, 'a number of at least 1');
  }
}
