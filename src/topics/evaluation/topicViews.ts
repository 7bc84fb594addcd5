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
 * ones as it saw them last, and the terms published until then. Asked for in order of time, a slice costs that slice.
 */
export function publishedViews(slices: readonly PublishedSlice[]): TopicViews {
  let seen = new SeenTopics();
  return {
    at(slice) {
      if (slice < seen.slices - 1) seen = new SeenTopics();
      while (seen.slices <= slice) seen.see(slices[seen.slices]!);
      return Promise.resolve(seen.views());
    },
  };
}

/** What has been published of each topic so far. */
class SeenTopics {
  slices = 0;
  readonly #topics = new Map<number, { sizes: number[]; terms: { size: number; terms: readonly string[] }[] }>();

  see({ points }: PublishedSlice): void {
    const index = this.slices++;
    for (const { topic, size, past, terms } of points) {
      const known = this.#topics.get(topic) ?? { sizes: [], terms: [] };
      this.#topics.set(topic, known);
      while (known.sizes.length < index) known.sizes.push(0);
      for (const [i, earlier] of past.entries()) known.sizes[index - past.length + i] = earlier;
      known.sizes[index] = size;
      known.terms.push({ size, terms });
    }
  }

  views(): TopicView[] {
    return Array.from(this.#topics, ([topic, { sizes, terms }]) => {
      const padded = new Float64Array(this.slices);
      padded.set(sizes);
      return { topic, sizes: padded, terms: rankTerms(terms).slice(0, recognisedTerms) };
    });
  }
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
