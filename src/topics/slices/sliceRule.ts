import { type CalendarName, calendarNamed, calendarNames, type Slice, slicesBetween } from '../../time/calendar.js';
import type { Duration } from '../../time/duration.js';
import type { Instant } from '../../time/instant.js';
import { type ChangePointOptions, changePointDelay, changePointSlices } from './changePointSlices.js';
import { type EqualCountOptions, equalCountSlices } from './equalCountSlices.js';

/** How a stream is cut into slices: by a calendar, or by the stream itself (`adaptive`; ours). */
export type SliceRule =
  | { readonly kind: CalendarName }
  | ({ readonly kind: 'equal-count' } & EqualCountOptions)
  | ({ readonly kind: 'change-point' } & ChangePointOptions);

export const sliceRuleKinds: readonly SliceRule['kind'][] = [...calendarNames, 'equal-count', 'change-point'];

/**
 * Slices from the one that holds or starts at `from` to the one that holds `until`.
 *
 * @param eventAt event times, ascending, none of them before `from`
 * @param from the first document's event time, or the end of a slice that is known already; not after `until`
 */
export function slicesOf(eventAt: Float64Array, rule: SliceRule, from: Instant, until: Instant): Iterable<Slice> {
  switch (rule.kind) {
    case 'equal-count':
      return equalCountSlices(eventAt, rule, from, until);
    case 'change-point':
      return changePointSlices(eventAt, rule, from, until);
    default:
      return slicesBetween(from, until, calendarNamed(rule.kind));
  }
}

/** Time after the end of a slice until it is known that it has ended, in milliseconds. */
export function closingDelay(rule: SliceRule): Duration {
  return rule.kind === 'change-point' ? changePointDelay : 0;
}
