import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { type ProductHits, requireCutoff } from './productHits.js';

/**
 * The standard measures of ranked retrieval, as trec_eval computes them. Every asset of the product counts as relevant.
 * NaN for an empty product: a query without relevant assets is reported, not scored 0.
 */

/** P@k: relevant assets in the top k, over k even where the list is shorter (trec_eval `P_k`). */
export function precisionAt(hits: ProductHits, cutoff: number): number {
  requireCutoff(cutoff);
  return hits.productSize === 0 ? Number.NaN : hits.countAt(cutoff) / cutoff;
}

/** One over the rank of the first relevant asset, 0 when the list holds none (trec_eval `recip_rank`). */
export function reciprocalRank(hits: ProductHits): number {
  if (hits.productSize === 0) return Number.NaN;
  return hits.count === 0 ? 0 : 1 / hits.ranks[0]!;
}

/** Mean, over the product, of the precision at each asset's rank; an asset not listed adds 0 (trec_eval `map`). */
export function averagePrecision(hits: ProductHits): number {
  let sum = 0;
  for (let hit = 0; hit < hits.count; hit++) sum += (hit + 1) / hits.ranks[hit]!;
  return sum / hits.productSize;
}

/**
 * nDCG@k as trec_eval's `ndcg_cut_k`: the gain is the grade itself (not 2^grade - 1) and the discount log2(rank + 1);
 * the ideal list holds every graded asset, highest grade first, cut at k as well.
 *
 * @param grades [productSize] grade of each asset of the product, > 0, in the product's order; absent: all 1
 * @throws InvalidArgumentError when there is not one positive finite grade for each asset
 */
export function ndcgAt(hits: ProductHits, cutoff: number, grades?: ArrayLike<number>): number {
  requireCutoff(cutoff);
  if (grades !== undefined) requireGrades(grades, hits.productSize);
  const found = hits.countAt(cutoff);
  let gained = 0;
  for (let hit = 0; hit < found; hit++) {
    gained += (grades === undefined ? 1 : grades[hits.members[hit]!]!) / Math.log2(hits.ranks[hit]! + 1);
  }
  return gained / idealGain(hits.productSize, cutoff, grades);
}

/** DCG of the best list there can be; 0 for an empty product, which makes nDCG NaN. */
function idealGain(productSize: number, cutoff: number, grades: ArrayLike<number> | undefined): number {
  const sorted = grades === undefined ? undefined : Float64Array.from(grades).sort().reverse();
  let gain = 0;
  for (let rank = 1; rank <= Math.min(cutoff, productSize); rank++) {
    gain += (sorted === undefined ? 1 : sorted[rank - 1]!) / Math.log2(rank + 1);
  }
  return gain;
}

function requireGrades(grades: ArrayLike<number>, productSize: number): void {
  if (grades.length !== productSize) {
    throw new InvalidArgumentError({ argument: 'grades.length', value: grades.length, expected: `${productSize}` });
  }
  for (let member = 0; member < grades.length; member++) {
    const grade = grades[member]!;
    if (grade > 0 && grade < Number.POSITIVE_INFINITY) continue;
    throw new InvalidArgumentError({
      argument: `grades[${member}]`,
      value: grade,
      expected: 'a positive finite grade: an asset graded 0 is not part of the product',
    });
  }
}
