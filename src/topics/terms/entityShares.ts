import { compareCodeUnits } from '../../corpus/corpus.js';

/** An entity in the documents of a topic and slice. */
export interface EntityShare {
  readonly entity: string;
  /** Documents that name it. */
  readonly documents: number;
  /** Of all documents of the topic in the slice. */
  readonly share: number;
}

/** The most frequent entities, those in most documents first; of equals, the first in code-unit order. */
export function entityShares(entities: readonly (readonly string[])[], most: number): EntityShare[] {
  const counts = new Map<string, number>();
  for (const names of entities) for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Array.from(counts, ([entity, documents]) => ({ entity, documents, share: documents / entities.length }))
    .sort((a, b) => b.documents - a.documents || compareCodeUnits(a.entity, b.entity))
    .slice(0, most);
}
