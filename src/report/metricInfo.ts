import type { MetricUnit } from './words/numbers.js';

/** What a metric's name in rows stands for. */
export interface MetricInfo {
  readonly name: string;
  /** As people read it: `Recall@100, table`. */
  readonly label: string;
  readonly unit: MetricUnit;
  /** Whether a larger value is a better one; of a rank, it is a worse one. */
  readonly higherIsBetter: boolean;
  /** Asset type that it is restricted to; null for the whole product. */
  readonly assetType: string | null;
}

/** Reads a name made by `rowMetricNames`; any other name is its own label. */
export function metricInfo(name: string): MetricInfo {
  const recall = /^recall_(\d+)(?:_(.*))?$/s.exec(name);
  if (recall) {
    const [, cutoff, type] = recall;
    return points(name, `Recall@${cutoff}${type === undefined ? '' : `, ${type}`}`, type ?? null);
  }
  const atCutoff = /^(coverage|complete)_(\d+)$/.exec(name);
  if (atCutoff) {
    const [, kind, cutoff] = atCutoff;
    return points(name, `${kind === 'coverage' ? 'Product coverage' : 'Complete product'}@${cutoff}`, null);
  }
  const reach = /^rank_(\d+)$/.exec(name);
  if (reach) {
    const label = `Rank at ${reach[1]}% of the product`;
    return { name, label, unit: 'ranks', higherIsBetter: false, assetType: null };
  }
  return points(name, name, null);
}

function points(name: string, label: string, assetType: string | null): MetricInfo {
  return { name, label, unit: 'points', higherIsBetter: true, assetType };
}
