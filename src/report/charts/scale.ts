/** Maps values onto pixels. */
export type Scale = (value: number) => number;

export interface Tick {
  readonly value: number;
  readonly label: string;
}

export interface Axis {
  readonly scale: Scale;
  /** Ascending and evenly spaced; zero is one of them. */
  readonly ticks: readonly Tick[];
}

/** Below a hundredth, differences are not printed and need no room either. */
const smallestSpan = 0.02;

/**
 * Linear axis that holds all values and zero, with at most `tickCount` steps between ticks, at multiples of 1, 2 or 5 times a power of ten.
 * @param values what it must hold; values that are not finite are passed over
 * @param range pixels of its two ends, the smaller value first
 */
export function linearAxis(
  values: readonly number[],
  range: readonly [number, number],
  { tickCount = 8, minus = '\u2212' } = {},
): Axis {
  const finite = values.filter(Number.isFinite);
  let low = Math.min(0, ...finite);
  let high = Math.max(0, ...finite);
  if (high - low < smallestSpan) {
    const middle = (low + high) / 2;
    low = middle - smallestSpan / 2;
    high = middle + smallestSpan / 2;
  }
  const step = niceStep((high - low) / tickCount);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => {
    const value = (first + i) * step;
    const digits = Math.abs(value).toFixed(decimals);
    return { value, label: value < 0 && Number(digits) !== 0 ? minus + digits : digits };
  });
  const [from, to] = range;
  // Marks at either end need room; where zero is the end, the axis begins there.
  const room = (high - low) * 0.04;
  const start = low === 0 ? 0 : low - room;
  const end = high === 0 ? 0 : high + room;
  return { scale: (value) => from + ((value - start) / (end - start)) * (to - from), ticks };
}

/** The smallest of 1, 2, 5 times a power of ten that is not below `atLeast`. */
function niceStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= atLeast * (1 - 1e-9))!;
  return factor * power;
}

/** Logarithmic scale over positive values; a single value lies in the middle. */
export function logScale(values: readonly number[], range: readonly [number, number]): Scale {
  const logs = values.map(Math.log);
  const low = Math.min(...logs);
  const high = Math.max(...logs);
  const [from, to] = range;
  if (high === low) return () => (from + to) / 2;
  return (value) => from + ((Math.log(value) - low) / (high - low)) * (to - from);
}

/**
 * Those of the items whose labels, centred on their places, do not run into one another; the first is kept, and so is the
 * last in place of one before it.
 * @param items by place, ascending
 */
export function thinned<T>(items: readonly T[], place: (item: T) => number, width: (item: T) => number, gap = 6): T[] {
  const apart = (a: T, b: T) => Math.abs(place(b) - place(a)) >= (width(a) + width(b)) / 2 + gap;
  const kept: T[] = [];
  for (const [index, item] of items.entries()) {
    const isLast = index === items.length - 1;
    while (isLast && kept.length > 1 && !apart(kept.at(-1)!, item)) kept.pop();
    if (kept.length === 0 || apart(kept.at(-1)!, item)) kept.push(item);
  }
  return kept;
}
