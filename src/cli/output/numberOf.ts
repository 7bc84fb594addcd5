/**
 * A number with its noun in the form that goes with it: `1 document`, `0 documents`.
 *
 * @param rest follows the noun, as one and as several: `[' is left out', ' are left out']`
 */
export function numberOf(count: number, noun: string, rest: readonly [string, string] = ['', '']): string {
  return count === 1 ? `1 ${noun}${rest[0]}` : `${count} ${noun}s${rest[1]}`;
}
