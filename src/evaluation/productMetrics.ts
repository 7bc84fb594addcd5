import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { type ProductHits, requireCutoff } from './productHits.js';

/**
 * Metrics over a product (PIT Discovery, section 5.4). NaN stands for "not defined", as in every column of this
 * folder; `definedMean` and the rows that people read turn it into null.
 */

/**
 * Asset Recall@k: share of the product's assets at rank `cutoff` or better; NaN for an empty product.
 *
 * The list may be shorter than the cutoff: what it does not hold was not found.
 */
export function recallAt(hits: ProductHits, cutoff: number): number {
  requireCutoff(cutoff);
  return hits.countAt(cutoff) / hits.productSize;
}

/**
 * Product coverage@k: share of the product's assets in the top k. By definition this is Asset Recall@k over the same
 * product, under the name that the paper uses beside complete-product success; it is the same function on purpose.
 */
export const coverageAt = recallAt;

/** Complete-product success@k: 1 when every asset of the product is in the top k, else 0; NaN for an empty product. */
export function completeAt(hits: ProductHits, cutoff: number): number {
  requireCutoff(cutoff);
  if (hits.productSize === 0) return Number.NaN;
  return hits.countAt(cutoff) === hits.productSize ? 1 : 0;
}

/**
 * Rank (from 1) at which the list first holds `share` of the product: how many files are inspected to get there.
 * NaN when the list ends before (`hits.listLength` says where it ended) or the product is empty.
 *
 * @param share in (0, 1]; 0.8 in the paper
 */
export function rankToReach(hits: ProductHits, share: number): number {
  if (!(share > 0 && share <= 1)) {
    throw new InvalidArgumentError({ argument: 'share', value: share, expected: 'a number in (0, 1]' });
  }
  if (hits.productSize === 0) return Number.NaN;
  let needed = Math.ceil(share * hits.productSize);
  // share * size can round above the integer that it means (0.55 * 100); the quotient rounds as the share itself did.
  if (needed > 1 && (needed - 1) / hits.productSize >= share) needed--;
  return needed <= hits.count ? hits.ranks[needed - 1]! : Number.NaN;
}

/**
 * Asset Recall at several cutoffs in one pass over the hits.
 *
 * @param cutoffs positive integers, strictly ascending
 * @param out [cutoffs] from `start` on; NaN throughout for an empty product
 */
export function recallAtCutoffs(
  hits: ProductHits,
  cutoffs: ArrayLike<number>,
  out: Float64Array,
  start = 0,
): Float64Array {
  requireCutoffs(cutoffs);
  for (let cut = 0, found = 0; cut < cutoffs.length; cut++) {
    while (found < hits.count && hits.ranks[found]! <= cutoffs[cut]!) found++;
    out[start + cut] = found / hits.productSize;
  }
  return out;
}

/**
 * Asset Recall by asset type at several cutoffs: of the product's assets of a type, the share in the top k. NaN where
 * the product has no asset of the type, never 0 or 1.
 *
 * @param product the rows that `hits` was located with
 * @param types [corpus size] type code of each corpus row, below `typeCount`
 * @param cutoffs positive integers, strictly ascending
 * @param out [typeCount, cutoffs] row-major, from `start` on
 */
export function recallByTypeAtCutoffs(
  hits: ProductHits,
  product: Uint32Array,
  types: Uint16Array,
  typeCount: number,
  cutoffs: ArrayLike<number>,
  out: Float64Array,
  start = 0,
): Float64Array {
  requireCutoffs(cutoffs);
  for (let type = 0; type < typeCount; type++) {
    let size = 0;
    for (let member = 0; member < product.length; member++) if (types[product[member]!] === type) size++;
    for (let cut = 0, at = 0, found = 0; cut < cutoffs.length; cut++) {
      for (; at < hits.count && hits.ranks[at]! <= cutoffs[cut]!; at++) {
        if (types[product[hits.members[at]!]!] === type) found++;
      }
      out[start + type * cutoffs.length + cut] = found / size;
    }
  }
  return out;
}

function requireCutoffs(cutoffs: ArrayLike<number>): void {
  for (let cut = 0; cut < cutoffs.length; cut++) {
    requireCutoff(cutoffs[cut]!, `cutoffs[${cut}]`);
    if (cut === 0 || cutoffs[cut]! > cutoffs[cut - 1]!) continue;
    throw new InvalidArgumentError({
      argument: `cutoffs[${cut}]`,
      value: cutoffs[cut],
      expected: `a cutoff above ${cutoffs[cut - 1]}: cutoffs are strictly ascending`,
    });
  }
}
