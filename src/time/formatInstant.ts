import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { type Instant, isInstant } from './instant.js';

/**
 * The one text form of an instant: ISO 8601 in UTC, `2023-11-14T22:13:20Z`, with three fraction digits where the
 * milliseconds are not zero (`2014-01-21T20:26:05.383Z`). `parseInstant` reads it back to the same instant. Sort
 * instants, not their texts: the fraction makes the width vary.
 *
 * @throws InvalidArgumentError for a number that is no integer or lies outside years 0001 to 9999
 */
export function formatInstant(instant: Instant): string {
  if (!isInstant(instant)) {
    throw new InvalidArgumentError({
      argument: 'instant',
      value: instant,
      expected: 'whole milliseconds since the epoch, in years 0001 to 9999',
    });
  }
  const text = new Date(instant).toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}
