/** Names of the checks of the contract; `docs/contract.md` says what each compares. Stable: machines switch on them. */
export const checkNames = {
  manifest: 'The manifest hash covers its content',
  artefacts: 'Every file of the run has the digest that the manifest records',
  inputs: 'Input files that are still in place have the recorded digest',
  corpus: 'Corpus commitment recomputed from the assets, equal in every row',
  types: 'Type vector hash recomputed, equal in every row',
  requests: 'Request and product hashes recomputed, equal in every row',
  index: 'Index hash recomputed from the base lists, equal in every row',
  stream: 'Stream order is a permutation with the recorded hash, and is made again from its seed',
  eventLog: 'Event log commitment recomputed from events, vectors and traces, equal in every row',
  model: 'Model hash recomputed from retriever, similarity and mechanism, equal in every row',
  population: 'Every anchor and condition has exactly one row, and the run holds no others',
  anchor: 'Conditions of an anchor share request, product and clock',
  budget: 'Conditions of an anchor share d, capacity, base depth and output depth; no selection exceeds them',
  selection: 'Selected entries recomputed by the eligibility predicate and query similarity',
  eligibility: 'Every selected PIT entry, and all that it depends on, was observed strictly before the anchor',
  selfExclusion: 'No condition selected the anchor’s own event',
  violationRate: 'Temporal Violation Rate recomputed from the selected entries; 0 for PIT',
  ranking: 'Ranking recomputed by the mechanism from the selected entries and the base list',
  metrics: 'Metrics recomputed from the ranking',
  control: 'Naive equals Future: selected entries, ranking and every metric',
  effects: 'Effects recomputed from the rows',
} as const;

export type CheckName = keyof typeof checkNames;

/** One violated comparison: where, and what was found in place of what. */
export interface Violation {
  readonly where: string;
  readonly found: string;
  readonly expected: string;
}

export interface CheckResult {
  readonly name: CheckName;
  readonly title: string;
  /** Comparisons made. */
  readonly checked: number;
  readonly violations: number;
  /** The first few violations. */
  readonly examples: readonly Violation[];
  /** Why the check could not be made, or only in part. */
  readonly note: string | null;
}

const examplesKept = 3;
const longestValue = 120;

/** Counts comparisons and keeps the first few that fail. */
export class Check {
  readonly name: CheckName;
  checked = 0;
  violations = 0;
  note: string | null = null;
  readonly #examples: Violation[] = [];

  constructor(name: CheckName) {
    this.name = name;
  }

  /** Counts one comparison; `found` and `expected` are rendered only when it fails. Returns whether it holds. */
  equal(where: () => string, found: unknown, expected: unknown): boolean {
    return this.holds(
      Object.is(found, expected),
      where,
      () => render(found),
      () => render(expected),
    );
  }

  holds(condition: boolean, where: () => string, found: () => string, expected: () => string): boolean {
    this.checked++;
    if (!condition) {
      this.violations++;
      if (this.#examples.length < examplesKept) {
        this.#examples.push({ where: where(), found: cut(found()), expected: cut(expected()) });
      }
    }
    return condition;
  }

  result(): CheckResult {
    const { name, checked, violations, note } = this;
    return { name, title: checkNames[name], checked, violations, examples: this.#examples, note };
  }
}

export type Checks = { readonly [Name in CheckName]: Check };

export function newChecks(): Checks {
  const names = Object.keys(checkNames) as CheckName[];
  return Object.fromEntries(names.map((name) => [name, new Check(name)])) as unknown as Checks;
}

/** The contract as it was found to hold, or not. */
export interface ContractReport {
  readonly runId: string;
  readonly rows: number;
  readonly holds: boolean;
  readonly checks: readonly CheckResult[];
}

export function contractReport(runId: string, rows: number, checks: Checks): ContractReport {
  const results = Object.values(checks).map((check) => check.result());
  return { runId, rows, holds: results.every((check) => check.violations === 0), checks: results };
}

function cut(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}

function render(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? String(value);
}
