import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Instant } from '../../time/instant.js';
import type { StagedChange } from './staging.js';

/**
 * A change would alter answers that the log has given, and nobody said that this is meant.
 *
 * @param argument what became available, or ended, too early
 * @param settledAt up to when the log has given its answers
 */
export function lateArrival(argument: string, { firstLate, late }: StagedChange, settledAt: Instant) {
  return new InvalidArgumentError({
    argument,
    value: formatInstant(firstLate!.at),
    expected:
      `no instant before ${formatInstant(settledAt)}, up to which the log has given its answers, or --backfill:` +
      ` a late arrival (${late} in this change) alters answers about the past`,
  });
}
