import type { CellKey } from '../replay/rows/cellRows.js';

/** What cells differ in, outermost first: the order in which they are grouped. */
export const cellDimensions = ['domain', 'stream', 'retriever', 'mechanism'] as const;

export type CellDimension = (typeof cellDimensions)[number];

/** Marks that readers must see wherever a result stands that looked at relevance labels (PIT Discovery section 4.2). */
export const goldTags = { mechanism: 'oracle', stream: 'uses gold' } as const;

/**
 * Dimensions in which the cells differ, and the mechanism in any case: what has to be said of each cell. The others are
 * said once.
 */
export function varyingDimensions(keys: readonly CellKey[]): readonly CellDimension[] {
  return cellDimensions.filter(
    (dimension) => dimension === 'mechanism' || keys.some((key) => key[dimension] !== keys[0]![dimension]),
  );
}

/** The tag of one dimension of a cell; null for most. */
export function tagOf(key: CellKey, dimension: CellDimension): string | null {
  if (dimension === 'mechanism' && key.mechanismUsesGold) return goldTags.mechanism;
  if (dimension === 'stream' && key.streamUsesGold) return goldTags.stream;
  return null;
}

/** One dimension of a cell with its tag: `feedback (oracle)`. */
export function taggedName(key: CellKey, dimension: CellDimension): string {
  const tag = tagOf(key, dimension);
  return tag === null ? key[dimension] : `${key[dimension]} (${tag})`;
}

/** Name of a cell by some of its dimensions, with their tags: `tatqa · random · feedback (oracle)`. */
export function cellName(key: CellKey, dimensions: readonly CellDimension[]): string {
  return dimensions.map((dimension) => taggedName(key, dimension)).join(' · ');
}

/**
 * Brings equals together, dimension by dimension, in the order in which they first come: the experiment's order, whatever
 * order the cells come in.
 */
export function groupedByDimension<T>(items: readonly T[], keyOf: (item: T) => CellKey): T[] {
  return cellDimensions.toReversed().reduce<T[]>((sorted, dimension) => {
    const firstPlace = new Map<string, number>();
    for (const item of items) {
      const value = keyOf(item)[dimension];
      if (!firstPlace.has(value)) firstPlace.set(value, firstPlace.size);
    }
    return sorted.toSorted((a, b) => firstPlace.get(keyOf(a)[dimension])! - firstPlace.get(keyOf(b)[dimension])!);
  }, items.slice());
}
