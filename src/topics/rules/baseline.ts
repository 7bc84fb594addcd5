import type { TopicObservation } from './trendRule.js';

/** What is usual for a topic: some slices of it. */
export type Baseline = {
  /** Documents in each slice, and the slices' lengths in milliseconds. */
  readonly sizes: readonly number[];
  readonly spans: readonly number[];
  /** [dimension] sum of the vectors of its documents, and their number. */
  readonly sum: Float64Array;
  readonly documents: number;
};

/** A baseline with one more slice. */
export function extendBaseline(base: Baseline | null, { size, span, sum }: TopicObservation): Baseline {
  if (base === null) return { sizes: [size], spans: [span], sum: sum.slice(), documents: size };
  return {
    sizes: [...base.sizes, size],
    spans: [...base.spans, span],
    sum: base.sum.map((value, i) => value + sum[i]!),
    documents: base.documents + size,
  };
}

/** Documents expected in a slice: the median of the baseline's, each as if it had been as long as `span`. */
export function expectedSize({ sizes, spans }: Baseline, span: number): number {
  // Of equal lengths the quotient is 1 exactly: a volume at a threshold stays there.
  const scaled = sizes.map((size, i) => size * (span / spans[i]!)).sort((a, b) => a - b);
  return (scaled[(scaled.length - 1) >> 1]! + scaled[scaled.length >> 1]!) / 2;
}

/** Two baselines as one: what is usual adds up. */
export function sumBaselines(base: Baseline, other: Baseline): Baseline {
  const span = base.spans.at(-1)!;
  const own = expectedSize(base, span);
  const both = own + expectedSize(other, span);
  const sizes = base.sizes.map((size, i) => (own > 0 ? (size * both) / own : both * (base.spans[i]! / span)));
  const sum = base.sum.map((value, i) => value + other.sum[i]!);
  return { sizes, spans: base.spans, sum, documents: base.documents + other.documents };
}

/** The baseline of part of a topic, of which the content is taken to be the same. */
export function scaleBaseline(base: Baseline, share: number): Baseline {
  return { ...base, sizes: base.sizes.map((size) => size * share) };
}
