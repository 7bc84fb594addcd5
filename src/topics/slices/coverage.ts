import type { Instant } from '../../time/instant.js';
import type { TopicDocuments } from '../TopicDocuments.js';

/**
 * Up to when a stream is known to be complete as of t, where nobody says: the last instant by t at which a document came
 * in. After it nothing is known; that no document is there says nothing, since nobody may have collected any.
 *
 * @returns t where no document came in by then
 */
export function coverageOf({ size, availableAt, eventAt }: TopicDocuments, asOf: Instant): Instant {
  let last = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < size; row++) {
    // A document that was always available came in when what it tells of happened.
    const cameIn = availableAt[row] === Number.NEGATIVE_INFINITY ? eventAt[row]! : availableAt[row]!;
    if (cameIn <= asOf && cameIn > last) last = cameIn;
  }
  return Number.isFinite(last) ? last : asOf;
}
