import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

/**
 * Where the assets of one product stand in one ranked list. Every retrieval metric of this folder is a function of it,
 * so a list is walked once whatever is asked of it afterwards.
 *
 * One instance serves any number of lists: `locate` overwrites it and allocates only when a product is larger than
 * all before.
 */
export class ProductHits {
  /** Entries in the list last located in. */
  listLength = 0;
  /** Assets of the product. */
  productSize = 0;
  /** How many of them the list holds. */
  count = 0;
  /** [count] ranks of the product's assets, from 1, ascending. Entries from `count` on are left over. */
  ranks = new Uint32Array(16);
  /** [count] which asset stands there: index into the product. */
  members = new Uint32Array(16);
  #seen = new Uint8Array(16);

  /**
   * @param ranked corpus rows, best first, each at most once
   * @param product corpus rows, strictly ascending
   * @throws InvalidArgumentError when the product is not strictly ascending, or one of its assets is ranked twice
   */
  locate(ranked: Uint32Array, product: Uint32Array): this {
    requireAscending(product);
    this.#reserve(product.length);
    const seen = this.#seen.fill(0, 0, product.length);
    // Bit row % 32 of every row in the product: most of the list is passed over without a search.
    let bits = 0;
    for (let member = 0; member < product.length; member++) bits |= 1 << product[member]!;
    let count = 0;
    for (let at = 0; at < ranked.length; at++) {
      if (((bits >>> ranked[at]!) & 1) === 0) continue;
      const member = indexOfRow(product, ranked[at]!);
      if (member < 0) continue;
      if (seen[member] !== 0) {
        throw new InvalidArgumentError({
          argument: `ranked[${at}]`,
          value: ranked[at],
          expected: 'a corpus row that the list does not hold already',
        });
      }
      seen[member] = 1;
      this.ranks[count] = at + 1;
      this.members[count++] = member;
    }
    this.listLength = ranked.length;
    this.productSize = product.length;
    this.count = count;
    return this;
  }

  /** How many of the product's assets stand at rank `cutoff` or better. */
  countAt(cutoff: number): number {
    let count = this.count;
    while (count > 0 && this.ranks[count - 1]! > cutoff) count--;
    return count;
  }

  #reserve(productSize: number): void {
    if (productSize <= this.ranks.length) return;
    this.ranks = new Uint32Array(productSize);
    this.members = new Uint32Array(productSize);
    this.#seen = new Uint8Array(productSize);
  }
}

/** Index of `row` in ascending `rows`, or -1. */
export function indexOfRow(rows: Uint32Array, row: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = rows[middle]!;
    if (found === row) return middle;
    if (found < row) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function requireAscending(product: Uint32Array): void {
  for (let member = 1; member < product.length; member++) {
    if (product[member]! > product[member - 1]!) continue;
    throw new InvalidArgumentError({
      argument: `product[${member}]`,
      value: product[member],
      expected: `a row above ${product[member - 1]}: a product is strictly ascending`,
    });
  }
}

/** @throws InvalidArgumentError unless the cutoff is a positive integer */
export function requireCutoff(cutoff: number, argument = 'cutoff'): void {
  if (!Number.isInteger(cutoff) || cutoff < 1) {
    throw new InvalidArgumentError({ argument, value: cutoff, expected: 'a positive integer' });
  }
}
