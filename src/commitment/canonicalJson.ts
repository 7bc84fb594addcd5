import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

/**
 * Canonical JSON in the manner of RFC 8785 (JCS): keys in code-unit order, no white space, numbers as ECMAScript writes
 * them. Keys whose value is `undefined` are left out; NaN, infinities, functions and bigints are errors, since JSON
 * would lose them silently.
 */
export function canonicalJson(value: unknown): string {
  return write(value, '$');
}

function write(value: unknown, path: string): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new InvalidArgumentError({ argument: path, value, expected: 'a finite number' });
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item, index) => write(item, `${path}[${index}]`)).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${write(member, `${path}.${key}`)}`);
    return `{${members.join(',')}}`;
  }
  throw new InvalidArgumentError({ argument: path, value, expected: 'a JSON value' });
}
