import type { PublishedSlice, TopicPoint } from '../publishedSlice.js';
import { type TopicEvent, takeoverOf } from '../trackers/TopicTracker.js';

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
 * Topics as published: after each slice, sizes of the slices that are looked back on as the model saw them then, older
 * ones as it saw them last, shared out where topics have parted and put together where they have become one since; and
 * the terms of the topic as published last. Asked for in order of time, a slice costs that slice.
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
  readonly #topics = new Map<number, { sizes: number[]; about: readonly string[] }>();

  see({ points, events }: PublishedSlice): void {
    const index = this.slices++;
    for (const event of events) this.#follow(event, points);
    for (const { topic, size, past, about, label } of points) {
      const known = this.#topics.get(topic);
      // A topic that has ended keeps its volumes and terms; one that went into another is that one.
      if (label === 'ended' && known === undefined) continue;
      const sizes = known?.sizes ?? [];
      while (sizes.length < index) sizes.push(0);
      for (const [i, earlier] of past.entries()) sizes[index - past.length + i] = earlier;
      sizes[index] = size;
      this.#topics.set(topic, { sizes, about: about.length > 0 ? about : (known?.about ?? []) });
    }
  }

  /** Older slices than those looked back on: what they held goes with the topics that take it over, or its share. */
  #follow(event: TopicEvent, points: readonly TopicPoint[]): void {
    const { kind, topic, other } = event;
    if (kind === 'split' && other !== null) {
      const known = this.#topics.get(other);
      const [left, stayed] = [documentsNow(points, topic), documentsNow(points, other)];
      if (known === undefined || left + stayed === 0) return;
      const share = left / (left + stayed);
      this.#topics.set(topic, { sizes: known.sizes.map((size) => size * share), about: [] });
      this.#topics.set(other, { ...known, sizes: known.sizes.map((size) => size * (1 - share)) });
    }
    for (const { from, into } of takeoverOf(event)) {
      const [gone, heir] = [this.#topics.get(from), into === null ? undefined : this.#topics.get(into)];
      if (gone === undefined || heir === undefined) continue;
      for (const [i, size] of gone.sizes.entries()) heir.sizes[i] = (heir.sizes[i] ?? 0) + size;
      this.#topics.delete(from);
    }
  }

  views(): TopicView[] {
    return Array.from(this.#topics, ([topic, { sizes, about }]) => {
      const padded = new Float64Array(this.slices);
      padded.set(sizes);
      return { topic, sizes: padded, terms: about };
    });
  }
}

/** Documents of a topic in a slice and those looked back on. */
function documentsNow(points: readonly TopicPoint[], topic: number): number {
  const point = points.find((own) => own.topic === topic);
  return point === undefined ? 0 : point.past.reduce((sum, size) => sum + size, point.size);
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
