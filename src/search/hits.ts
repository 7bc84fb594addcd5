import type { FreshnessRanking } from '../retrieval/freshness/rankFreshness.js';
import { type RankedBlock, rankedRows, rankedScores } from '../retrieval/ranking.js';
import type { SegmentRows } from '../store/workspace/segmentRows.js';
import type { ListedScore, SearchHit } from './answer.js';
import type { VersionCache } from './VersionCache.js';

/** Lists that relevance was made of, for explanations. */
export interface BaseLists {
  readonly lexical?: RankedBlock | undefined;
  readonly semantic?: RankedBlock | undefined;
}

/** Reads what a ranking found, and says why each is where it is. @param locate the segment of a row, and its row there */
export async function explainHits(
  ranking: FreshnessRanking,
  lists: BaseLists,
  locate: (row: number) => { segment: SegmentRows; row: number },
  versions: VersionCache,
): Promise<SearchHit[]> {
  const bySegment = new Map<SegmentRows, { at: number; row: number }[]>();
  for (const [at, found] of ranking.rows.entries()) {
    const { segment, row } = locate(found);
    const entries = bySegment.get(segment) ?? [];
    entries.push({ at, row });
    bySegment.set(segment, entries);
  }
  const hits: SearchHit[] = new Array(ranking.rows.length);
  for (const [segment, entries] of bySegment) {
    const read = await versions.read(
      segment,
      entries.map(({ row }) => row),
    );
    for (const [index, { at }] of entries.entries()) {
      const { id, type, title, text, contentHash, eventAt, availableAt } = read[index]!;
      const score = ranking.scores[at]!;
      const row = ranking.rows[at]!;
      hits[at] = {
        rank: at + 1,
        id,
        score,
        type,
        title,
        text,
        eventAt,
        availableAt,
        contentHash,
        explanation: {
          relevance: ranking.relevances[at]!,
          relevanceRank: ranking.relevanceRanks[at]!,
          lexical: listedScore(lists.lexical, row),
          semantic: listedScore(lists.semantic, row),
          age: ranking.ages[at]!,
          decay: ranking.decays[at]!,
          fused: score,
        },
      };
    }
  }
  return hits;
}

function listedScore(list: RankedBlock | undefined, row: number): ListedScore | undefined {
  if (list === undefined) return undefined;
  const at = rankedRows(list, 0).indexOf(row);
  return at === -1 ? undefined : { score: rankedScores(list, 0)[at]!, rank: at + 1 };
}

/** A ranking without some rows, cut at a length. */
export function withoutRows(
  ranking: FreshnessRanking,
  isOut: (row: number) => boolean,
  length: number,
): FreshnessRanking {
  const kept = Uint32Array.from(ranking.rows.keys())
    .filter((at) => !isOut(ranking.rows[at]!))
    .subarray(0, length);
  const take = <T extends Uint32Array | Float64Array>(column: T): T =>
    (column.constructor as unknown as { from(items: ArrayLike<number>, map: (at: number) => number): T }).from(
      kept,
      (at) => column[at]!,
    );
  return {
    ...ranking,
    candidates: take(ranking.candidates),
    rows: take(ranking.rows),
    scores: take(ranking.scores),
    relevances: take(ranking.relevances),
    relevanceRanks: take(ranking.relevanceRanks),
    ages: take(ranking.ages),
    decays: take(ranking.decays),
  };
}
