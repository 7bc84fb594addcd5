import { InvalidInputError } from '../../errors/InvalidInputError.js';
import type { CommittedAssets } from '../commitments.js';
import type { Experiment } from '../experiment/experiment.js';

const mostNamed = 3;

/**
 * Where the corpus is read as of each request, an asset must say when it was available: one that does not would be in
 * every snapshot, and nobody would see it. The frozen reading needs no such time.
 *
 * @param name of the domain, for the message
 * @throws InvalidInputError with the first ids, and how many there are
 */
export function requireAvailability(
  name: string,
  { ids, availableAt }: Pick<CommittedAssets, 'ids' | 'availableAt'>,
  reading: Experiment['corpus'],
): void {
  if (reading === 'frozen') return;
  const undated = ids.filter((_, row) => !Number.isFinite(availableAt[row]!));
  if (undated.length === 0) return;
  const named = undated.slice(0, mostNamed).map((id) => JSON.stringify(id));
  const rest = undated.length > named.length ? ', ...' : '';
  throw new InvalidInputError({
    location: { file: name, field: 'availableAt' },
    expected:
      'a time of availability for every asset where the corpus is read as of each request (or --corpus frozen);' +
      ` ${undated.length} of ${ids.length} assets have none: ${named.join(', ')}${rest}`,
  });
}
