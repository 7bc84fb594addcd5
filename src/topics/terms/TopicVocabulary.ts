import { compareCodeUnits } from '../../corpus/corpus.js';
import type { StateValue } from '../state/stateValue.js';
import { type TopicEvent, takeoverOf } from '../trackers/TopicTracker.js';
import { classTerms } from './classTerms.js';

/** Terms that are remembered of each topic, those that occur most. */
const remembered = 100;
/** Slices after which an occurrence counts half: a quarter of weeks. */
const halfLife = 13;
const kept = 2 ** (-1 / halfLife);

/** The class of documents without a topic. */
export const noTopic = 0;

type TermCounts = ReadonlyMap<string, number>;

type VocabularyState = {
  readonly topics: readonly number[];
  readonly terms: readonly (readonly string[])[];
  /** One for each term, topic after topic. */
  readonly counts: Float64Array;
};

/**
 * The words of topics over all their slices so far, later ones weighing more (ours; BERTopic likewise blends the terms of a
 * slice with those before). A slice alone has too few documents to tell the words of a topic from those of a document.
 *
 * Nothing in it is altered: a slice makes a new one. What is remembered does not grow with the slices.
 */
export class TopicVocabulary {
  /** By topic, ascending; terms by count, descending, of equals in code-unit order. */
  readonly #counts: ReadonlyMap<number, TermCounts>;

  private constructor(counts: ReadonlyMap<number, TermCounts>) {
    this.#counts = counts;
  }

  static empty(): TopicVocabulary {
    return new TopicVocabulary(new Map());
  }

  /** Takes in the terms of a slice, by topic, and what happened to topics in it: who takes over from whom, and who ended. */
  after(slice: ReadonlyMap<number, TermCounts>, events: readonly TopicEvent[]): TopicVocabulary {
    const counts = new Map<number, Map<string, number>>();
    const add = (topic: number, terms: TermCounts, weight: number) => {
      const own = counts.get(topic) ?? new Map<string, number>();
      for (const [term, count] of terms) own.set(term, (own.get(term) ?? 0) + weight * count);
      counts.set(topic, own);
    };
    for (const [topic, terms] of this.#counts) add(topic, terms, kept);
    for (const [topic, terms] of slice) add(topic, terms, 1);
    for (const { from, into } of events.flatMap(takeoverOf)) {
      const terms = counts.get(from);
      if (terms !== undefined && into !== null) add(into, terms, 1);
      counts.delete(from);
    }
    const ordered = Array.from(counts).sort(([a], [b]) => a - b);
    return new TopicVocabulary(new Map(ordered.map(([topic, terms]) => [topic, mostFrequent(terms)])));
  }

  /** Terms that set each topic apart from the others, heaviest first (`classTerms`). */
  terms(most: number): Map<number, string[]> {
    const topics = Array.from(this.#counts.keys());
    const terms = classTerms(Array.from(this.#counts.values()), most);
    return new Map(topics.map((topic, index) => [topic, terms[index]!]));
  }

  save(): StateValue {
    const classes = Array.from(this.#counts.values());
    const state: VocabularyState = {
      topics: Array.from(this.#counts.keys()),
      terms: classes.map((terms) => Array.from(terms.keys())),
      counts: Float64Array.from(classes.flatMap((terms) => Array.from(terms.values()))),
    };
    return state;
  }

  static restored(saved: StateValue): TopicVocabulary {
    const { topics, terms, counts } = saved as VocabularyState;
    let next = 0;
    const entries = topics.map((topic, index) => {
      return [topic, new Map(terms[index]!.map((term) => [term, counts[next++]!]))] as const;
    });
    return new TopicVocabulary(new Map(entries));
  }
}

function mostFrequent(terms: TermCounts): TermCounts {
  const sorted = Array.from(terms).sort(([a, x], [b, y]) => y - x || compareCodeUnits(a, b));
  return new Map(sorted.slice(0, remembered));
}
