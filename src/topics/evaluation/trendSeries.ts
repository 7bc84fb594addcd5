import { compareCodeUnits } from '../../corpus/corpus.js';
import { termsOf } from '../terms/termsOf.js';
import type { TopicView } from './topicViews.js';

/** A series whose true course is known, for example a vendor, with the names by which texts speak of it. */
export interface TrendSeries {
  readonly name: string;
  /** Alternatives, each the words that must all be there. */
  readonly words: readonly (readonly string[])[];
  /** [documents] 1 where the document belongs to it. */
  readonly members: Uint8Array;
  /** Documents that belong to it, and those of them whose text names it. */
  readonly documents: number;
  readonly named: number;
}

/** Which series are compared with. */
export interface SeriesSelection {
  /** Documents that a series must have; 60 by default. */
  readonly leastDocuments?: number | undefined;
  /** Share of them whose text must name it: a series of which the texts do not speak cannot be found in them; 0.5. */
  readonly leastNamed?: number | undefined;
  /** Series at most, the largest first; 40 by default. */
  readonly most?: number | undefined;
}

/**
 * Chooses series from the labels of documents, by size and by whether the texts name them; how well any tracker does has
 * no part in the choice. The largest first, of equals the first in code-unit order.
 *
 * @param labels [documents] labels of each
 * @param terms [documents] terms of each text
 * @param names other names of labels; a label without any goes by its own words
 */
export function selectSeries(
  labels: readonly (readonly string[])[],
  terms: readonly ReadonlyMap<string, number>[],
  names: Readonly<Record<string, readonly string[]>>,
  { leastDocuments = 60, leastNamed = 0.5, most = 40 }: SeriesSelection = {},
): TrendSeries[] {
  const members = new Map<string, number[]>();
  for (const [document, own] of labels.entries()) {
    for (const label of new Set(own)) {
      const list = members.get(label) ?? [];
      list.push(document);
      members.set(label, list);
    }
  }
  const series: TrendSeries[] = [];
  const largestFirst = Array.from(members).sort(([a, x], [b, y]) => y.length - x.length || compareCodeUnits(a, b));
  for (const [name, documents] of largestFirst) {
    if (documents.length < leastDocuments || series.length === most) break;
    const words = (names[name] ?? [name.replaceAll(/[_-]/g, ' ')]).map(termsOf).filter((own) => own.length > 0);
    const named = documents.filter((document) => isNamed(words, (word) => terms[document]!.has(word))).length;
    if (named < leastNamed * documents.length) continue;
    const flags = new Uint8Array(labels.length);
    for (const document of documents) flags[document] = 1;
    series.push({ name, words, members: flags, documents: documents.length, named });
  }
  return series;
}

/** Whether a topic speaks of a series: all words of one of its names are among the topic's terms. */
export function speaksOf({ terms }: Pick<TopicView, 'terms'>, { words }: Pick<TrendSeries, 'words'>): boolean {
  return isNamed(words, (word) => terms.includes(word));
}

function isNamed(words: TrendSeries['words'], has: (word: string) => boolean): boolean {
  return words.some((own) => own.every(has));
}
