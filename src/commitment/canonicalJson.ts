import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

/**
 * Canonical JSON in the manner of RFC 8785 (JCS): keys in code-unit order, no white space, numbers as ECMAScript writes
 * them. Keys whose value is `undefined` are left out. Whatever JSON would lose silently is an error: NaN, infinities,
 * functions, bigints, holes in arrays, and objects of a class (a Date, a Map, a typed array).
 *
 * @throws InvalidArgumentError naming the path of the value
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
  if (Array.isArray(value))
    return `[${Array.from(value, (item, index) => write(item, `${path}[${index}]`)).join(',')}]`;
  if (isPlainObject(value)) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${write(member, `${path}.${key}`)}`);
    return `{${members.join(',')}}`;
  }
  throw new InvalidArgumentError({ argument: path, value, expected: 'a JSON value' });
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
