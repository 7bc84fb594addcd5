/** Names of the checks of the contract; `docs/contract.md` says what each compares. Stable: machines switch on them. */
export const checkNames = {
  manifest: 'The manifest hash covers its content',
  artefacts: 'Every file of the run has the digest that the manifest records; the rows as JSON Lines are the same rows',
  inputs: 'Input files that are still in place have the recorded digest',
  description: 'What the manifest says of identity, experiment, readings and data follows from experiment and files',
  corpus: 'Corpus commitment recomputed from the assets, which are in availability order; equal in every row',
  types: 'Type vector hash recomputed, equal in every row',
  requests: 'Request and product hashes recomputed, and text hashes where texts are kept; equal in every row',
  index: 'Index hash recomputed from base lists, which are in rank order and within the snapshot; equal in every row',
  stream: 'Stream is a permutation with the recorded hash and the clock of its requests, made again from its seed',
  eventLog: 'Event log commitment recomputed from events, vectors and traces, equal in every row',
  prefix: 'Memory and snapshot that a row names are prefixes of the logs, by consistency proofs',
  model: 'Model versions made again from experiment, statistics and corpus; every row names one of them',
  lineage: 'No model, nor anything that it was made from, reaches the first anchor, unless it is declared frozen',
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
  effects: 'Effects, their table and their summary recomputed from the rows',
} as const;

export type CheckName = keyof typeof checkNames;

/** One violated comparison: where, and what was found in place of what. */
export interface Violation {
  readonly where: string;
  readonly found: string;
  readonly expected: string;
}

/** What one check of the contract compared, and what it found. */
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

  /** Counts one comparison; the values are rendered only when it fails. Returns whether it holds. */
  equal(where: () => string, found: unknown, expected: unknown): boolean {
    this.checked++;
    if (Object.is(found, expected)) return true;
    this.#violate(where, render(found), render(expected));
    return false;
  }

  /** Counts one comparison; `found` and `expected` are called only when it fails. Returns whether it holds. */
  holds(condition: boolean, where: () => string, found: () => unknown, expected: () => unknown): boolean {
    this.checked++;
    if (!condition) this.#violate(where, render(found()), render(expected()));
    return condition;
  }

  /** Adds what the same check found elsewhere. */
  absorb({ checked, violations, examples, note }: CheckResult): void {
    this.checked += checked;
    this.violations += violations;
    for (const example of examples) if (this.#examples.length < examplesKept) this.#examples.push(example);
    if (note !== null) this.remark(note);
  }

  /** Says why the check could not be made, or only in part. */
  remark(text: string): void {
    if (this.note === null) this.note = text;
    else if (!this.note.split('; ').includes(text)) this.note += `; ${text}`;
  }

  result(): CheckResult {
    const { name, checked, violations, note } = this;
    return { name, title: checkNames[name], checked, violations, examples: [...this.#examples], note };
  }

  #violate(where: () => string, found: string, expected: string): void {
    this.violations++;
    if (this.#examples.length < examplesKept) {
      this.#examples.push({ where: where(), found: cut(found), expected: cut(expected) });
    }
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
  /** What the run claims and what it does not, in words. */
  readonly readings: readonly string[];
  readonly checks: readonly CheckResult[];
}

export function contractReport(
  run: Pick<ContractReport, 'runId' | 'rows' | 'readings'>,
  checks: Checks,
): ContractReport {
  const results = checkResults(checks);
  return { ...run, holds: results.every((check) => check.violations === 0), checks: results };
}

export function checkResults(checks: Checks): CheckResult[] {
  return Object.values(checks).map((check) => check.result());
}

function cut(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
}

function render(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? String(value);
}
