import { countText } from './numbers.js';

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** `1 cell`, `2,000 anchors`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : plural}`;
}

/** `400 to 2,000`, or the one number. */
export function countRange(counts: readonly number[]): string {
  const lowest = Math.min(...counts);
  const highest = Math.max(...counts);
  return lowest === highest ? countText(lowest) : `${countText(lowest)} to ${countText(highest)}`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
