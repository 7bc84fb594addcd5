import { compareCodeUnits } from '../../corpus/corpus.js';

/**
 * The terms that set each class of texts apart, heaviest first, by class-based TF-IDF (Grootendorst 2022, section 3.3):
 * tf(t, c) * log(1 + A / f(t)), where tf is the share of t among the words of class c, f its count over all classes, and A
 * the mean number of words in a class. Of equals, the first in code-unit order.
 *
 * @param classes counts of terms, class by class; a class may be empty
 * @param most terms wanted of each class
 */
export function classTerms(classes: readonly ReadonlyMap<string, number>[], most: number): string[][] {
  const frequencies = new Map<string, number>();
  const words = classes.map((counts) => {
    let total = 0;
    for (const [term, count] of counts) {
      total += count;
      frequencies.set(term, (frequencies.get(term) ?? 0) + count);
    }
    return total;
  });
  const mean = words.reduce((sum, count) => sum + count, 0) / classes.length;
  return classes.map((counts, index) => {
    const weighted = Array.from(counts, ([term, count]) => ({
      term,
      weight: (count / words[index]!) * Math.log(1 + mean / frequencies.get(term)!),
    }));
    weighted.sort((a, b) => b.weight - a.weight || compareCodeUnits(a.term, b.term));
    return weighted.slice(0, most).map(({ term }) => term);
  });
}

/** 1 - |a and b| / |a or b| of two lists of terms (Jaccard distance); 0 where both are empty. */
export function termDistance(a: readonly string[], b: readonly string[]): number {
  const all = new Set([...a, ...b]);
  if (all.size === 0) return 0;
  const other = new Set(b);
  return 1 - new Set(a.filter((term) => other.has(term))).size / all.size;
}
