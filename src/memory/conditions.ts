import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

/**
 * A memory condition of the paired replay (PIT Discovery Table 2), by its name in rows: `Stateless`, `PIT`, `Future-10`
 * (PIT and the next 10 events), `Future`, `Naive`.
 */
export type ConditionName = string;

/** A memory view: what memory may hold at an anchor. */
export type Condition =
  | { readonly name: ConditionName; readonly kind: 'stateless' | 'pit' | 'future' | 'naive'; readonly horizon: null }
  | { readonly name: ConditionName; readonly kind: 'future-horizon'; readonly horizon: number };

export const stateless: Condition = { name: 'Stateless', kind: 'stateless', horizon: null };
export const pit: Condition = { name: 'PIT', kind: 'pit', horizon: null };
export const future: Condition = { name: 'Future', kind: 'future', horizon: null };
export const naive: Condition = { name: 'Naive', kind: 'naive', horizon: null };

export function futureHorizon(horizon: number): Condition {
  if (!Number.isInteger(horizon) || horizon < 1) {
    throw new InvalidArgumentError({
      argument: 'horizon',
      value: horizon,
      expected: 'a whole number of events, 1 or more',
    });
  }
  return { name: `Future-${horizon}`, kind: 'future-horizon', horizon };
}

/** Stateless, PIT, Future, Naive, then Future-h by horizon: the order of conditions within an anchor's rows. */
export function conditionsFor(horizons: readonly number[]): readonly Condition[] {
  const ascending = [...new Set(horizons)].sort((a, b) => a - b);
  return [stateless, pit, future, naive, ...ascending.map(futureHorizon)];
}

/** h of a condition's name, or null where it has none. */
export function horizonOf(name: ConditionName): number | null {
  const match = /^Future-(\d+)$/.exec(name);
  return match ? Number(match[1]) : null;
}
