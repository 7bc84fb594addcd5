import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** Observations, such as the anchors of a replay cell, with their clusters and some columns over them. */
export interface ClusteredSample {
  /** [observations] cluster of each observation, in 0..clusters-1 (for example the index of its request). */
  readonly clusterOf: Uint32Array;
  /** Number of cluster indices; those without an observation take no part. */
  readonly clusters: number;
  /** [columns][observations] values; NaN where a column is not defined for the observation. */
  readonly columns: readonly Float64Array[];
}

/** Means of one column by cluster. */
export interface ColumnMeans {
  /** [clusters with an observation] in index order; NaN where no observation of the cluster defines the column. */
  readonly means: Float64Array;
  /** Clusters that define the column. */
  readonly clusters: number;
  /** Observations that define the column. */
  readonly observations: number;
}

/**
 * Means by cluster over the observations that define a column (PIT Discovery, section 5.4: contrasts are averaged by
 * query before anything else). Values of a cluster are added in ascending order, so that the result does not depend on
 * the order of the observations; equal values have that value as their mean, without rounding.
 *
 * @returns one for each column, in their order
 * @throws InvalidArgumentError for an infinite value, a cluster index out of range, or a column of the wrong length
 */
export function clusterMeans(sample: ClusteredSample): ColumnMeans[] {
  const { starts, order } = groupByCluster(sample);
  const present = starts.length - 1;
  let largest = 0;
  for (let cluster = 0; cluster < present; cluster++) {
    largest = Math.max(largest, starts[cluster + 1]! - starts[cluster]!);
  }
  const held = new Float64Array(largest);
  return sample.columns.map((values, column) => {
    requireColumn(values, `columns[${column}]`, order.length);
    const means = new Float64Array(present);
    let clusters = 0;
    let observations = 0;
    for (let cluster = 0; cluster < present; cluster++) {
      let count = 0;
      for (let at = starts[cluster]!; at < starts[cluster + 1]!; at++) {
        const value = values[order[at]!]!;
        if (!Number.isNaN(value)) held[count++] = value;
      }
      means[cluster] = meanOf(held, count);
      observations += count;
      if (count > 0) clusters++;
    }
    return { means, clusters, observations };
  });
}

/** Mean of the first `count` values, whatever their order; NaN of none. Sorts them. */
function meanOf(values: Float64Array, count: number): number {
  // Two numbers add to the same sum either way; three need an order.
  if (count > 2) values.subarray(0, count).sort();
  let sum = 0;
  let equal = true;
  for (let at = 0; at < count; at++) {
    sum += values[at]!;
    if (values[at] !== values[0]) equal = false;
  }
  return equal && count > 0 ? values[0]! : sum / count;
}

/** Observations by cluster: group g holds `order[starts[g]]` to `order[starts[g + 1] - 1]`; empty clusters have none. */
function groupByCluster({ clusterOf, clusters }: ClusteredSample): { starts: Uint32Array; order: Uint32Array } {
  const counts = new Uint32Array(clusters);
  for (let observation = 0; observation < clusterOf.length; observation++) {
    const cluster = clusterOf[observation]!;
    if (cluster >= clusters) {
      throw new InvalidArgumentError({
        argument: `clusterOf[${observation}]`,
        value: cluster,
        expected: `a cluster index below ${clusters}`,
      });
    }
    counts[cluster]!++;
  }
  const starts = [0];
  const next = new Uint32Array(clusters);
  for (let cluster = 0; cluster < clusters; cluster++) {
    next[cluster] = starts.at(-1)!;
    if (counts[cluster]! > 0) starts.push(next[cluster]! + counts[cluster]!);
  }
  const order = new Uint32Array(clusterOf.length);
  for (let observation = 0; observation < clusterOf.length; observation++) {
    order[next[clusterOf[observation]!]!++] = observation;
  }
  return { starts: Uint32Array.from(starts), order };
}

/** @throws InvalidArgumentError unless there is one value for each observation, each finite or NaN */
export function requireColumn(values: Float64Array, argument: string, observations: number): void {
  if (values.length !== observations) {
    throw new InvalidArgumentError({
      argument: `${argument}.length`,
      value: values.length,
      expected: `${observations}, one value for each observation`,
    });
  }
  for (let observation = 0; observation < observations; observation++) {
    const value = values[observation]!;
    if (Number.isFinite(value) || Number.isNaN(value)) continue;
    throw new InvalidArgumentError({
      argument: `${argument}[${observation}]`,
      value,
      expected: 'a finite number, or NaN where it is not defined',
    });
  }
}
