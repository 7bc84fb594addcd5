import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { type Wording, wording } from '../../errors/wording.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Instant } from '../../time/instant.js';
import type { StagedChange } from './staging.js';

/**
 * A change would alter answers that the log has given, and nobody said that this is meant.
 *
 * @param argument what becomes available, or ends, too early
 * @param settledAt up to when the log has given its answers
 */
export function lateArrival(argument: string | Wording, { firstLate, late }: StagedChange, settledAt: Instant) {
  const answered = `no instant before ${formatInstant(settledAt)}, up to which the log has given its answers`;
  const reason = `a late arrival (${late} in this change) alters answers about the past`;
  return new InvalidArgumentError({
    argument,
    value: formatInstant(firstLate!.at),
    expected: wording`${answered}, or ${{ option: 'backfill', value: true }}: ${reason}`,
  });
}
