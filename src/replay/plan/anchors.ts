import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** A position of the stream at which the paired replay is made. */
export interface Anchor {
  readonly position: number;
  /** 1 to 4: which of the anchor windows, or which quarter of a natural stream. */
  readonly quartile: number;
}

/** Percent of the stream around which windows lie (PIT Discovery section 5.3). */
export const windowCentres = [20, 40, 60, 80] as const;

/** Below it, windows of one anchor would overlap. */
const fewestRequests = 5;

/**
 * `perWindow` anchors around each of the 20, 40, 60 and 80% positions: window w covers
 * [round(n * c_w / 100) - floor(perWindow / 2), + perWindow).
 * @throws InvalidArgumentError when windows would overlap or leave the stream; it says how many fit
 */
export function windowAnchors(streamSize: number, perWindow: number): readonly Anchor[] {
  const fits = largestWindow(streamSize);
  if (fits === 0) {
    const expected = `a stream of at least ${fewestRequests} requests to place anchors in; this one has ${streamSize}`;
    throw new InvalidArgumentError({ argument: 'anchorsPerWindow', value: perWindow, expected });
  }
  if (!Number.isInteger(perWindow) || perWindow < 1 || perWindow > fits) {
    throw new InvalidArgumentError({
      argument: 'anchorsPerWindow',
      value: perWindow,
      expected: `1 to ${fits} in a stream of ${streamSize} requests, so that the windows at 20, 40, 60 and 80% neither overlap nor leave it`,
    });
  }
  return windowStarts(streamSize, perWindow).flatMap((start, window) =>
    Array.from({ length: perWindow }, (_, k) => ({ position: start + k, quartile: window + 1 })),
  );
}

function windowStarts(streamSize: number, perWindow: number): number[] {
  return windowCentres.map((percent) => Math.round((streamSize * percent) / 100) - Math.floor(perWindow / 2));
}

function largestWindow(streamSize: number): number {
  for (let perWindow = Math.floor(streamSize / 5) + 1; perWindow > 0; perWindow--) {
    const starts = windowStarts(streamSize, perWindow);
    const apart = starts.every((start, w) => start >= (w === 0 ? 0 : starts[w - 1]! + perWindow));
    if (apart && starts.at(-1)! + perWindow <= streamSize) return perWindow;
  }
  return 0;
}

/**
 * Every position with at least `minimum` events observed strictly before it and `minimum` positions after it (PIT
 * Discovery section 5.3, natural order: minimum = capacity). Past is counted by the clock, since equal instants are not
 * before one another.
 * @param observedAt [events] non-decreasing
 */
export function naturalAnchors(observedAt: Float64Array, minimum: number): readonly Anchor[] {
  const size = observedAt.length;
  const anchors: Anchor[] = [];
  let before = 0;
  for (let position = 0; position < size; position++) {
    while (observedAt[before]! < observedAt[position]!) before++;
    if (before >= minimum && size - 1 - position >= minimum) {
      anchors.push({ position, quartile: Math.floor((4 * position) / size) + 1 });
    }
  }
  return anchors;
}
