import type { Instant } from '../../time/instant.js';
import { definedMean } from '../definedMean.js';

/** What a protocol of choosing parameters would have reported. */
export interface SelectedMean {
  /** Mean of the metric over the queries that define it; null when none does. */
  readonly mean: number | null;
  /** [queries] setting that each query was answered with: index into the settings. */
  readonly chosen: readonly number[];
}

/** The two protocols, and what the first one owes to hindsight. */
export interface SelectionComparison {
  /** The best setting on these very queries, as papers choose it. */
  readonly hindsight: SelectedMean;
  /** For each query, the best setting on those whose outcome was known before its t. */
  readonly pit: SelectedMean;
  /** Parameter leakage: hindsight less pit; null when either is not defined. */
  readonly parameterLeakage: number | null;
}

/**
 * Compares two ways to choose alpha and half-life (temporal-layer specification, section 5; ours): with hindsight, and
 * point in time. The outcome of a query is known at its own t, so for a query at t the queries with a strictly earlier t
 * may vote. Of settings that are equally good, the default wins if it is one of them, else the first in order; without any
 * earlier query, the default it is.
 *
 * @param values [settings][queries] the metric; NaN where not defined
 * @param asOf [queries] t of each query, in any order
 * @param defaultSetting what a system without experience uses
 */
export function compareSelections(
  values: readonly Float64Array[],
  asOf: readonly Instant[],
  defaultSetting: number,
): SelectionComparison {
  const best = (sums: readonly number[]) => {
    let choice = defaultSetting;
    for (const [setting, sum] of sums.entries()) if (sum > sums[choice]!) choice = setting;
    return choice;
  };
  const all = best(values.map(definedSum));
  const hindsight = summary(
    values,
    asOf.map(() => all),
  );

  const order = [...asOf.keys()].sort((a, b) => asOf[a]! - asOf[b]!);
  const sums = values.map(() => 0);
  const chosen: number[] = asOf.map(() => defaultSetting);
  for (let start = 0; start < order.length; ) {
    let end = start;
    while (end < order.length && asOf[order[end]!] === asOf[order[start]!]) end++;
    const choice = best(sums);
    for (const query of order.slice(start, end)) chosen[query] = choice;
    // Votes of one instant come in together: none of its queries knows another's outcome.
    for (const query of order.slice(start, end)) {
      for (const [setting, row] of values.entries()) if (!Number.isNaN(row[query]!)) sums[setting]! += row[query]!;
    }
    start = end;
  }
  const pit = summary(values, chosen);
  const leakage = hindsight.mean === null || pit.mean === null ? null : hindsight.mean - pit.mean;
  return { hindsight, pit, parameterLeakage: leakage };
}

/** Whether a metric is defined depends on the query alone, so sums order settings as means do. */
function definedSum(row: Float64Array): number {
  return row.reduce((sum, value) => (Number.isNaN(value) ? sum : sum + value), 0);
}

function summary(values: readonly Float64Array[], chosen: readonly number[]): SelectedMean {
  const selected = Float64Array.from(chosen, (setting, query) => values[setting]![query]!);
  return { mean: definedMean(selected).mean, chosen };
}
