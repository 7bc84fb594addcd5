import { type Products, productOf } from '../../corpus/products.js';
import { RandomSource } from '../../random/RandomSource.js';
import type { Stream } from './stream.js';

/**
 * A stress stream that puts requests with overlapping products next to each other: from a seeded start, the next request
 * is the first unplaced one (in seeded order) that shares an asset with the one before, else the next unplaced one.
 * It manufactures ideal conditions for memory; `usesGold` keeps it out of every aggregate (PIT Discovery section 4.2).
 */
export function goldOverlapStream(products: Products, seed: number): Stream {
  const requests = products.offsets.length - 1;
  const shuffled = new RandomSource(seed, 'stream/gold-overlap').shuffle(
    Uint32Array.from({ length: requests }, (_, i) => i),
  );
  // Filled from the back, so that the end of each list is its first in seeded order.
  const requestsOf = new Map<number, number[]>();
  for (const request of shuffled.toReversed()) {
    for (const row of productOf(products, request)) {
      const sharing = requestsOf.get(row);
      if (sharing) sharing.push(request);
      else requestsOf.set(row, [request]);
    }
  }
  const placed = new Uint8Array(requests);
  const order = new Uint32Array(requests);
  let cursor = 0;
  let current: number | undefined;
  for (let position = 0; position < requests; position++) {
    let next = current === undefined ? undefined : firstSharing(productOf(products, current), requestsOf, placed);
    while (next === undefined) {
      const candidate = shuffled[cursor++]!;
      if (placed[candidate] === 0) next = candidate;
    }
    placed[next] = 1;
    order[position] = next;
    current = next;
  }
  return { kind: 'gold-overlap', seed, usesGold: true, clockKind: 'position', order, parameters: {} };
}

/** First unplaced request that shares an asset; drops placed ones for good, so that the whole run stays linear. */
function firstSharing(
  product: Uint32Array,
  requestsOf: ReadonlyMap<number, number[]>,
  placed: Uint8Array,
): number | undefined {
  for (const row of product) {
    const sharing = requestsOf.get(row)!;
    while (sharing.length > 0) {
      const request = sharing.at(-1)!;
      if (placed[request] === 0) return request;
      sharing.pop();
    }
  }
  return undefined;
}
