import { type RankedBlock, rankedRows, rankedScores } from '#asof/retrieval/ranking.js';

/** The first entries of a peer's list, best first. */
export type Head = readonly (readonly [row: number, score: number])[];

export interface HeadAgreement {
  readonly lists: number;
  /** Largest relative difference between scores at the same place. */
  readonly largestDifference: number;
  /** Lists in which a row of the peer is missing from asof's list, or scored otherwise by more than the tolerance. */
  readonly differingLists: number;
}

/** Scores within this share of one another are the same, and rows that have them may change places. */
const tolerance = 1e-5;

/** Compares a peer's heads with asof's lists: the same rows but for ties, with the same scores. */
export function compareHeads(block: RankedBlock, heads: readonly Head[]): HeadAgreement {
  let largestDifference = 0;
  let differingLists = 0;
  for (const [query, head] of heads.entries()) {
    const scores = rankedScores(block, query);
    const scoreOf = new Map(Array.from(rankedRows(block, query), (row, at) => [row, scores[at]!]));
    let differs = head.length !== Math.min(10, scores.length);
    for (const [at, [row, score]] of head.entries()) {
      const atPlace = Math.abs(score / scores[at]! - 1);
      const ofRow = Math.abs(score / (scoreOf.get(row) ?? Number.NaN) - 1);
      largestDifference = Math.max(largestDifference, atPlace);
      if (!(atPlace <= tolerance && ofRow <= tolerance)) differs = true;
    }
    if (differs) differingLists++;
  }
  return { lists: heads.length, largestDifference, differingLists };
}
