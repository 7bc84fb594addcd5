import { type CheckName, type ContractReport, checkNames, type Violation } from '../audit/contract/check.js';
import type { Manifest } from '../audit/manifest.js';
import { countText } from './words/numbers.js';
import { counted, listed } from './words/phrases.js';

/** One check of the contract, as it was found. */
export interface CheckFact {
  readonly name: string;
  readonly title: string;
  /** `not made` when there was nothing to compare. */
  readonly outcome: 'holds' | 'violated' | 'not made';
  readonly checked: number;
  readonly violations: number;
  readonly note: string | null;
  readonly examples: readonly Violation[];
}

/** The audit of a run, or that there was none. */
export interface ContractFacts {
  readonly state: 'holds' | 'fails' | 'not audited';
  readonly comparisons: number;
  readonly checks: readonly CheckFact[];
  readonly words: string;
}

/** Facts of a fresh audit, or of the one that the manifest records. */
export function contractFacts(contract: ContractReport | Manifest['contract']): ContractFacts {
  if (contract === null) {
    return {
      state: 'not audited',
      comparisons: 0,
      checks: [],
      words: 'This run was not audited: nothing below is certified, and the gate decides nothing.',
    };
  }
  const checks = [...contract.checks].map(checkFact);
  const comparisons = checks.reduce((sum, { checked }) => sum + checked, 0);
  return contract.holds
    ? { state: 'holds', comparisons, checks, words: holdsInWords(checks, comparisons) }
    : { state: 'fails', comparisons, checks, words: failsInWords(checks) };
}

function checkFact(check: Omit<CheckFact, 'title' | 'outcome'>): CheckFact {
  const { name, checked, violations, note, examples } = check;
  return {
    name,
    title: checkNames[name as CheckName] ?? name,
    outcome: violations > 0 ? 'violated' : checked > 0 ? 'holds' : 'not made',
    checked,
    violations,
    note,
    examples,
  };
}

function holdsInWords(checks: readonly CheckFact[], comparisons: number): string {
  const partial = checks.filter(({ outcome, note }) => outcome === 'not made' || note !== null).length;
  const reserve =
    partial === 0
      ? ''
      : ` ${counted(partial, 'check')} could not be made, or only in part: the audit below says which and why.`;
  return `The audit contract holds: ${counted(checks.length, 'check')}, ${counted(comparisons, 'comparison')}, no violation.${reserve}`;
}

function failsInWords(checks: readonly CheckFact[]): string {
  const violated = checks.filter(({ outcome }) => outcome === 'violated');
  const names = violated.map(({ name, violations }) => `${name}: ${countText(violations)}`);
  return `The audit contract fails: ${violated.length} of ${counted(checks.length, 'check')} found violations (${listed(names)}). The historical claim fails; rebuild every view from the event log. The figures below belong to an invalid run and serve to find the fault.`;
}

/** What the run claims of corpus and models, and what it does not. */
export function claimsInWords({ readings }: Pick<Manifest, 'readings'>): string[] {
  return [readings.corpus.words, ...(readings.models === null ? [] : [readings.models.words])];
}
