import type { Condition } from './conditions.js';

/** The predicate in words, as the manifest records it. */
export const eligibilityInWords =
  'PIT: every observation that the entry depends on happened strictly before the anchor was observed; ' +
  'Future-h: PIT, or a later position up to h events on; Future and Naive: any position; never the anchor itself.';

/** Changes whenever the predicate does. */
export const eligibilityVersion = 'asof-eligibility/1';

/** The anchor as eligibility sees it: its position in the stream and its observation time o(q_i). */
export interface AnchorClock {
  readonly position: number;
  readonly observedAt: number;
}

/**
 * Whether o(e) < o(q_i) holds for everything that an entry depends on (PIT Discovery section 3.2). Strict: events at the
 * anchor's own instant are not before it, whatever their position.
 */
export function isBefore(anchor: AnchorClock, newestDependencyAt: number): boolean {
  return newestDependencyAt < anchor.observedAt;
}

/** Whether the view of a condition at an anchor holds the event at a position (PIT Discovery section 3.3). */
export function isEligible(
  condition: Condition,
  anchor: AnchorClock,
  position: number,
  newestDependencyAt: number,
): boolean {
  if (position === anchor.position) return false;
  switch (condition.kind) {
    case 'stateless':
      return false;
    case 'pit':
      return isBefore(anchor, newestDependencyAt);
    case 'future-horizon':
      return (
        isBefore(anchor, newestDependencyAt) ||
        (position > anchor.position && position <= anchor.position + condition.horizon)
      );
    case 'future':
    case 'naive':
      return true;
  }
}

/**
 * Temporal Violation Rate: share of selected entries that were not observed strictly before the anchor (PIT Discovery
 * equation 3; with position clocks: j > i). 0 when nothing was selected.
 */
export function temporalViolationRate(
  anchor: AnchorClock,
  newestDependencyAt: ArrayLike<number>,
  count: number,
): number {
  return count === 0 ? 0 : countFuture(anchor, newestDependencyAt, count) / count;
}

/** How many of the first `count` entries were not observed strictly before the anchor. */
export function countFuture(anchor: AnchorClock, newestDependencyAt: ArrayLike<number>, count: number): number {
  let violations = 0;
  for (let k = 0; k < count; k++) if (!isBefore(anchor, newestDependencyAt[k]!)) violations++;
  return violations;
}
