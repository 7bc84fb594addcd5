import { compareCodeUnits } from '../corpus/corpus.js';

/** Which queries an evaluation can score, and what is wrong with the others. All lists in code-unit order. */
export interface QueryAudit {
  /** Queries that have a ranking and at least one relevant asset in the corpus: the ones to score. */
  readonly scored: readonly string[];
  /** Ranked, but no relevant asset is given or known: metrics are undefined. */
  readonly withoutGold: readonly string[];
  /** Labelled, but the run holds no ranking for the query. An empty ranking is a ranking. */
  readonly withoutRun: readonly string[];
  /** Relevant ids that the corpus does not hold. */
  readonly unknownGold: readonly UnknownGold[];
}

export interface UnknownGold {
  readonly query: string;
  readonly id: string;
}

/**
 * Compares a run with its relevance labels before anything is averaged, so that a query without gold, a gold query
 * without a run and an unknown gold id are each reported and none turns into a silent 0.
 *
 * @param runQueries ids of the queries that the run answers, empty rankings included
 * @param gold relevant asset ids by query
 * @param isKnown whether the corpus holds an asset id
 */
export function auditQueries(
  runQueries: Iterable<string>,
  gold: ReadonlyMap<string, readonly string[]>,
  isKnown: (id: string) => boolean,
): QueryAudit {
  const inRun = new Set(runQueries);
  const scored: string[] = [];
  const withoutGold: string[] = [];
  const withoutRun: string[] = [];
  const unknownGold: UnknownGold[] = [];
  for (const query of [...new Set([...inRun, ...gold.keys()])].sort(compareCodeUnits)) {
    const ids = gold.get(query) ?? [];
    const unknown = ids.filter((id) => !isKnown(id)).sort(compareCodeUnits);
    for (const id of unknown) unknownGold.push({ query, id });
    if (!inRun.has(query)) withoutRun.push(query);
    else if (unknown.length === ids.length) withoutGold.push(query);
    else scored.push(query);
  }
  return { scored, withoutGold, withoutRun, unknownGold };
}
