import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { type Instant, isInstant } from '../../time/instant.js';

/** @throws InvalidArgumentError unless the value is an instant in years 0001 to 9999 */
export function checkInstant(argument: string, value: Instant): void {
  if (isInstant(value)) return;
  throw new InvalidArgumentError({
    argument,
    value,
    expected: 'whole milliseconds since the epoch, in years 0001 to 9999',
  });
}
