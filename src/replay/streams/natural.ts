import type { Requests } from '../../corpus/request.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import type { Stream } from './stream.js';

/**
 * Recorded arrival order (PIT Discovery section 5.3): by `observedAt`, ties by request id.
 * @throws InvalidInputError when a request has no observation time
 */
export function naturalStream(requests: Pick<Requests, 'ids' | 'observedAt'>, domain: string): Stream {
  for (let request = 0; request < requests.ids.length; request++) {
    if (Number.isNaN(requests.observedAt[request]!)) {
      throw new InvalidInputError({
        location: { file: domain, field: `request ${requests.ids[request]!}: observedAt` },
        expected: 'an observation time for every request of a natural stream',
      });
    }
  }
  // Requests are in id order already, and sort is stable.
  const order = Uint32Array.from(
    Array.from({ length: requests.ids.length }, (_, i) => i).sort(
      (a, b) => requests.observedAt[a]! - requests.observedAt[b]!,
    ),
  );
  return { kind: 'natural', seed: 0, usesGold: false, clockKind: 'recorded', order, parameters: {} };
}
