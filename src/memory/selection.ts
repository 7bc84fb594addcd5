import { compareRanked, TopSelector } from '../retrieval/ranking.js';
import type { Condition } from './conditions.js';
import { type AnchorClock, isBefore } from './eligibility.js';
import type { EventLog } from './eventLog.js';

/**
 * Entries that a view hands to the mechanism: most similar first; equal similarities by position. Only the first
 * `count` places of the arrays are filled.
 */
export interface Selection {
  count: number;
  /** [capacity] stream positions. */
  readonly positions: Uint32Array;
  /** [capacity] similarity to the anchor, all above 0. */
  readonly similarities: Float64Array;
}

export function newSelection(capacity: number): Selection {
  return { count: 0, positions: new Uint32Array(capacity), similarities: new Float64Array(capacity) };
}

/**
 * Selects for PIT, every Future-h and Future at one anchor in a single pass over the events.
 *
 * The views nest: PIT, then each wider horizon, then Future. An event belongs to exactly one ring, the narrowest view
 * that holds it; the best `capacity` of a view are among the best `capacity` of its rings. So each ring keeps its own
 * best, and a view is the merge of its ring with the next narrower view.
 */
export class NestedSelector {
  readonly capacity: number;
  /** Narrowest first: PIT, Future-h ascending, Future. */
  readonly viewNames: readonly string[];
  readonly #horizons: readonly number[];
  readonly #rings: readonly TopSelector[];
  readonly #ringBest: Selection;
  readonly #views: readonly Selection[];

  /** @param conditions as of `conditionsFor`; Stateless and Naive are left to others */
  constructor(capacity: number, conditions: readonly Condition[]) {
    this.capacity = capacity;
    const nested = conditions
      .filter((condition) => condition.kind === 'future-horizon')
      .sort((a, b) => a.horizon! - b.horizon!);
    this.#horizons = nested.map((condition) => condition.horizon!);
    this.viewNames = ['PIT', ...nested.map((condition) => condition.name), 'Future'];
    this.#rings = this.viewNames.map(() => new TopSelector(capacity));
    this.#views = this.viewNames.map(() => newSelection(capacity));
    this.#ringBest = newSelection(capacity);
  }

  /**
   * @param similarities [requests] to the anchor, by request index
   * @param newestDependencyAt [events] by position
   */
  select(
    anchor: AnchorClock,
    similarities: Float64Array,
    { positionOf }: Pick<EventLog, 'positionOf'>,
    newestDependencyAt: Float64Array,
  ): void {
    const past = this.#rings[0]!;
    let least = past.threshold;
    for (let request = 0; request < similarities.length; request++) {
      const similarity = similarities[request]!;
      // Most events are below what the ring keeps; equal ones go to the comparator.
      if (similarity <= 0 || similarity < least) continue;
      const position = positionOf[request]!;
      if (position === anchor.position || !isBefore(anchor, newestDependencyAt[position]!)) continue;
      past.push(position, similarity, position);
      least = past.threshold;
    }
    // Every view holds what PIT holds, so nothing below the least that PIT keeps is in any: few events are left.
    for (let request = 0; request < similarities.length; request++) {
      const similarity = similarities[request]!;
      if (similarity <= 0 || similarity < least) continue;
      const position = positionOf[request]!;
      if (position === anchor.position || isBefore(anchor, newestDependencyAt[position]!)) continue;
      const ring = this.#rings[this.#ringAhead(position - anchor.position)]!;
      if (similarity >= ring.threshold) ring.push(position, similarity, position);
    }
    let narrower: Selection | undefined;
    for (const [index, view] of this.#views.entries()) {
      this.#ringBest.count = this.#rings[index]!.drain(this.#ringBest.positions, this.#ringBest.similarities);
      merge(narrower, this.#ringBest, view, this.capacity);
      narrower = view;
    }
  }

  /** Selection of a view at the last anchor; valid until the next `select`. */
  view(name: string): Selection {
    return this.#views[this.#indexOf(name)]!;
  }

  /** Whether a view holds the same entries as the next narrower one (PIT has none) at the last anchor. */
  equalsNarrower(name: string): boolean {
    const index = this.#indexOf(name);
    if (index === 0) return false;
    const wide = this.#views[index]!;
    const narrow = this.#views[index - 1]!;
    if (wide.count !== narrow.count) return false;
    for (let k = 0; k < wide.count; k++) if (wide.positions[k] !== narrow.positions[k]) return false;
    return true;
  }

  /** Ring of an event that PIT does not hold, `ahead` positions after the anchor (negative: an earlier one). */
  #ringAhead(ahead: number): number {
    const horizons = this.#horizons;
    if (ahead < 0) return horizons.length + 1;
    let ring = 1;
    while (ring <= horizons.length && ahead > horizons[ring - 1]!) ring++;
    return ring;
  }

  #indexOf(name: string): number {
    const index = this.viewNames.indexOf(name);
    if (index < 0) throw new RangeError(`no nested view ${name}`);
    return index;
  }
}

/** Merges two selections, each in order, into `into`, best first, cut at `capacity`. */
function merge(first: Selection | undefined, second: Selection, into: Selection, capacity: number): void {
  let i = 0;
  let j = 0;
  let count = 0;
  const firstCount = first?.count ?? 0;
  while (count < capacity && (i < firstCount || j < second.count)) {
    const takeFirst =
      j >= second.count ||
      (i < firstCount &&
        compareRanked(first!.similarities[i]!, first!.positions[i]!, second.similarities[j]!, second.positions[j]!) <
          0);
    const from = takeFirst ? first! : second;
    const at = takeFirst ? i++ : j++;
    into.positions[count] = from.positions[at]!;
    into.similarities[count] = from.similarities[at]!;
    count++;
  }
  into.count = count;
}
