import { compareCodeUnits } from '../../corpus/corpus.js';
import type { PublishedSlice } from '../publishedSlice.js';

/** A topic as it is seen at some time. */
export interface TopicView {
  readonly topic: number;
  /** Its terms, heaviest first. */
  readonly terms: readonly string[];
  /** [slices up to then] documents in each. */
  readonly sizes: Float64Array;
}

/** What a way of finding topics knows of them after each slice. */
export interface TopicViews {
  /** Every topic there has been up to a slice, as seen at its end. */
  at(slice: number): Promise<readonly TopicView[]>;
}

/** Terms of a topic by which it can be recognised. */
export const recognisedTerms = 20;

/**
 * Terms of a topic over several slices: each slice gives its terms, by rank, a share of its documents (size / rank);
 * heaviest first, of equals the first in code-unit order.
 */
export function rankTerms(slices: Iterable<{ readonly size: number; readonly terms: readonly string[] }>): string[] {
  const weights = new Map<string, number>();
  for (const { size, terms } of slices) {
    for (const [rank, term] of terms.entries()) weights.set(term, (weights.get(term) ?? 0) + size / (rank + 1));
  }
  return Array.from(weights)
    .sort(([a, x], [b, y]) => y - x || compareCodeUnits(a, b))
    .map(([term]) => term);
}

/**
 * Topics as published: after each slice, sizes of the slices that are looked back on as the model saw them then, older
 * ones as it saw them last, and the terms published until then.
 */
export function publishedViews(slices: readonly PublishedSlice[]): TopicViews {
  const views: TopicView[][] = [];
  const sizes = new Map<number, Float64Array>();
  const terms = new Map<number, { size: number; terms: readonly string[] }[]>();
  for (const [index, { points }] of slices.entries()) {
    for (const { topic, size, past, terms: ofSlice } of points) {
      const before = sizes.get(topic);
      const now = new Float64Array(index + 1);
      if (before !== undefined) now.set(before);
      for (const [i, earlier] of past.entries()) now[index - past.length + i] = earlier;
      now[index] = size;
      sizes.set(topic, now);
      terms.set(topic, [...(terms.get(topic) ?? []), { size, terms: ofSlice }]);
    }
    views.push(
      Array.from(sizes, ([topic, known]) => {
        const padded = new Float64Array(index + 1);
        padded.set(known);
        return { topic, sizes: padded, terms: rankTerms(terms.get(topic)!).slice(0, recognisedTerms) };
      }),
    );
  }
  return { at: (slice) => Promise.resolve(views[slice]!) };
}

/** What is known after the last slice, told of each slice: with hindsight. */
export function hindsightViews(views: TopicViews, slices: number): TopicViews {
  let whole: Promise<readonly TopicView[]> | undefined;
  return {
    async at(slice) {
      whole ??= views.at(slices - 1);
      return (await whole).map((view) => ({ ...view, sizes: view.sizes.subarray(0, slice + 1) }));
    },
  };
}
