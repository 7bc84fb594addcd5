const blocks = '▁▂▃▄▅▆▇█';

/**
 * Numbers as a line of bars, a character each: the largest is a full bar, zero a space, anything else at least the
 * lowest bar.
 */
export function sparkline(values: ArrayLike<number>): string {
  const largest = Array.from(values).reduce((most, value) => Math.max(most, value), 0);
  return Array.from(values, (value) => {
    if (value <= 0) return ' ';
    return blocks[Math.min(blocks.length - 1, Math.ceil((value / largest) * blocks.length) - 1)]!;
  }).join('');
}
