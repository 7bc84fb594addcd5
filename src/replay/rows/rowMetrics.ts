import { ProductHits } from '../../evaluation/productHits.js';
import { completeAt, rankToReach, recallAtCutoffs, recallByTypeAtCutoffs } from '../../evaluation/productMetrics.js';

/** Share of a product whose reach is measured by `rank_80` (PIT Discovery section 5.4). */
const reachedShare = 0.8;

/**
 * Names of a row's metrics: `recall_k` for every cutoff, `recall_k_TYPE` for every asset type, then at the deepest
 * cutoff `coverage_k` (share of the product retrieved: the paper's product coverage, equal to recall by definition) and
 * `complete_k` (1 when the whole product was retrieved), and `rank_80` (rank at which 80% of the product is reached).
 * @param cutoffs ascending
 */
export function rowMetricNames(cutoffs: readonly number[], typeNames: readonly string[]): readonly string[] {
  const deepest = cutoffs.at(-1)!;
  return [
    ...cutoffs.map((cutoff) => `recall_${cutoff}`),
    ...typeNames.flatMap((type) => cutoffs.map((cutoff) => `recall_${cutoff}_${type}`)),
    `coverage_${deepest}`,
    `complete_${deepest}`,
    'rank_80',
  ];
}

/** Measures rankings against one product after another, into the metrics of a row. */
export class RowMeter {
  readonly names: readonly string[];
  /** [names] the last measurement; NaN where a metric is not defined (no asset of the type, 80% not reached). */
  readonly values: Float64Array;
  readonly #cutoffs: readonly number[];
  readonly #types: Uint16Array;
  readonly #typeCount: number;
  readonly #hits = new ProductHits();
  #product: Uint32Array = new Uint32Array(0);

  /**
   * @param cutoffs ascending
   * @param types [assets] the type vector, indices into `typeNames`
   */
  constructor(cutoffs: readonly number[], types: Uint16Array, typeNames: readonly string[]) {
    this.names = rowMetricNames(cutoffs, typeNames);
    this.values = new Float64Array(this.names.length);
    this.#cutoffs = cutoffs;
    this.#types = types;
    this.#typeCount = typeNames.length;
  }

  /** Takes up the product that the next rankings are measured against: corpus rows, ascending, not empty. */
  begin(product: Uint32Array): void {
    this.#product = product;
  }

  /** Measures a ranking (corpus rows, best first) into `values`. */
  measure(ranking: Uint32Array): void {
    const cutoffs = this.#cutoffs;
    const { values } = this;
    const hits = this.#hits.locate(ranking, this.#product);
    recallAtCutoffs(hits, cutoffs, values);
    recallByTypeAtCutoffs(hits, this.#product, this.#types, this.#typeCount, cutoffs, values, cutoffs.length);
    const rest = cutoffs.length * (1 + this.#typeCount);
    values[rest] = values[cutoffs.length - 1]!;
    values[rest + 1] = completeAt(hits, cutoffs.at(-1)!);
    values[rest + 2] = rankToReach(hits, reachedShare);
  }
}
