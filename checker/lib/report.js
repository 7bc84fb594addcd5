/**
 * What was compared and what did not hold. Checks carry the names of the contract (docs/contract.md), so that a verdict can
 * be laid beside that of `asof audit`.
 */
export class Report {
  /** check -> { compared, violations, examples } */
  checks = new Map();

  /** @returns whether the condition holds; `where`, `found` and `expected` are for people */
  holds(check, condition, where, found, expected) {
    if (!this.checks.has(check)) this.checks.set(check, { compared: 0, violations: 0, examples: [] });
    const entry = this.checks.get(check);
    entry.compared++;
    if (condition) return true;
    entry.violations++;
    if (entry.examples.length < 3) entry.examples.push({ where, found: show(found), expected: show(expected) });
    return false;
  }

  /** Equality of JSON values: numbers to the last bit, lists and objects member by member. */
  equal(check, where, found, expected) {
    return this.holds(check, same(found, expected), where, found, expected);
  }

  /** Names of the checks that found violations. */
  violated() {
    return [...this.checks].filter(([, { violations }]) => violations > 0).map(([name]) => name);
  }
}

export function same(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

function show(value) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** The files cannot be read as a run at all: no verdict. */
export class UnreadableRun extends Error {}
