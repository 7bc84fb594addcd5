import type { Check } from './check.js';

/** Compares two JSON values leaf by leaf; a violation names the path at which they part. */
export function compareJson(check: Check, path: string, found: unknown, expected: unknown): void {
  if (!isContainer(found) || !isContainer(expected) || Array.isArray(found) !== Array.isArray(expected)) {
    check.equal(() => path, found, expected);
    return;
  }
  const keys = [...new Set([...Object.keys(found), ...Object.keys(expected)])];
  for (const key of keys) {
    const at = Array.isArray(expected) ? `${path}[${key}]` : `${path}.${key}`;
    const member = (container: object) => (Object.hasOwn(container, key) ? Reflect.get(container, key) : undefined);
    compareJson(check, at, member(found), member(expected));
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
