/** A mean over queries that always says over how many: "table recall 0.41, defined over 310 of 400". */
export interface DefinedMean {
  /** null when no query defines the metric. */
  readonly mean: number | null;
  /** Queries that define the metric. */
  readonly defined: number;
  /** All queries. */
  readonly of: number;
}

/**
 * Mean over the queries that define a metric, summed in the order given.
 *
 * @param values [queries] NaN where the metric is not defined for the query (for example, table recall of a product
 *   without a table)
 */
export function definedMean(values: Float64Array): DefinedMean {
  let sum = 0;
  let defined = 0;
  for (let query = 0; query < values.length; query++) {
    const value = values[query]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    defined++;
  }
  return { mean: defined === 0 ? null : sum / defined, defined, of: values.length };
}

/** A number as rows and reports hold it: null where a column holds NaN. */
export function nullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
