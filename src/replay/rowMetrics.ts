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

/**
 * Measures rankings against one product after another. All metrics of a ranking come from one pass over it, without
 * allocation; the functions of `evaluation/` are its slow twin in the tests.
 */
export class RowMeter {
  readonly names: readonly string[];
  /** [names] the last measurement; NaN where a metric is not defined (no asset of the type, 80% not reached). */
  readonly values: Float64Array;
  readonly #cutoffs: readonly number[];
  readonly #types: Uint16Array;
  readonly #typeCount: number;
  readonly #isGold: Uint8Array;
  readonly #goldOfType: Uint32Array;
  readonly #foundOfType: Uint32Array;
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
    this.#isGold = new Uint8Array(types.length);
    this.#goldOfType = new Uint32Array(typeNames.length);
    this.#foundOfType = new Uint32Array(typeNames.length);
  }

  /** Takes up the product that the next rankings are measured against; not empty. */
  begin(product: Uint32Array): void {
    for (const row of this.#product) this.#isGold[row] = 0;
    this.#product = product;
    this.#goldOfType.fill(0);
    for (const row of product) {
      this.#isGold[row] = 1;
      this.#goldOfType[this.#types[row]!]!++;
    }
  }

  /** Measures a ranking (corpus rows, best first) into `values`. */
  measure(ranking: Uint32Array): void {
    const total = this.#product.length;
    const cutoffs = this.#cutoffs;
    const found = this.#foundOfType;
    found.fill(0);
    let retrieved = 0;
    let reachedAt = Number.NaN;
    let next = 0;
    for (let rank = 0; rank < ranking.length; rank++) {
      while (next < cutoffs.length && cutoffs[next]! <= rank) this.#record(next++, retrieved);
      const row = ranking[rank]!;
      if (this.#isGold[row] === 0) continue;
      retrieved++;
      found[this.#types[row]!]!++;
      if (Number.isNaN(reachedAt) && retrieved >= reachedShare * total) reachedAt = rank + 1;
    }
    while (next < cutoffs.length) this.#record(next++, retrieved);
    const recallAtDeepest = this.values[cutoffs.length - 1]!;
    const rest = cutoffs.length * (1 + this.#typeCount);
    this.values[rest] = recallAtDeepest;
    this.values[rest + 1] = recallAtDeepest === 1 ? 1 : 0;
    this.values[rest + 2] = reachedAt;
  }

  #record(cutoff: number, retrieved: number): void {
    const { values } = this;
    const count = this.#cutoffs.length;
    values[cutoff] = retrieved / this.#product.length;
    for (let type = 0; type < this.#typeCount; type++) {
      const gold = this.#goldOfType[type]!;
      values[count * (1 + type) + cutoff] = gold === 0 ? Number.NaN : this.#foundOfType[type]! / gold;
    }
  }
}
