import { formatInstant } from '../../../time/formatInstant.js';
import type { AnswerVerdict, EntryFinding } from '../AnswerAuditor.js';
import type { LogAudit } from '../auditLog.js';

/** Form of the JSON documents below; it changes when a member changes its meaning or goes. */
export const auditFormat = 'asof-log-audit/1';

/** An audit as a JSON value: instants as texts, durations in milliseconds. */
export function auditJson(audit: LogAudit) {
  const { status, rule, inputs, events, totals, gaps, faults, faultCounts, findings } = audit;
  return {
    format: auditFormat,
    status,
    rule: {
      eligibility: 'max over Ancestors(e) of observedAt < askedAt + clockSkew, for every used entry e',
      clockSkewMilliseconds: rule.clockSkew,
      duplicates: rule.duplicates,
      unknown: rule.unknown,
    },
    inputs: inputs.map(({ path, role, bytes, sha256 }) => ({ path, role, bytes, sha256 })),
    events,
    answers: {
      total: totals.answers,
      pass: totals.pass,
      violation: totals.violation,
      unverifiable: totals.unverifiable,
      withoutEntries: totals.withoutEntries,
    },
    entries: { ...totals.entries, unverifiableBy: { ...gaps } },
    temporalViolationRate: totals.rates,
    faultCounts,
    faults: faults.map(({ kind, event, message, fileName, line }) => ({ kind, event, message, file: fileName, line })),
    faultsOmitted:
      faultCounts.cycles + faultCounts.conflicts + faultCounts.unknownEvents + faultCounts.unknownEntries >
      faults.length,
    findings: findings.map((finding) => verdictJson(finding, finding.fileName)),
    findingsOmitted: totals.answers - totals.pass - findings.length,
  };
}

/** The verdict on one answer as a JSON value. */
export function verdictJson(verdict: AnswerVerdict, file: string) {
  const { id, line, askedAt, status, used, offending, sameInstant, tolerated, unverifiable, tvr, tvrUpper } = verdict;
  return {
    id,
    file,
    line,
    askedAt: instantJson(askedAt),
    status,
    used,
    offending,
    sameInstant,
    tolerated,
    unverifiable,
    tvr,
    tvrUpper,
    firstOffence: findingJson(verdict.firstOffence),
    firstGap: findingJson(verdict.firstGap),
  };
}

function findingJson(finding: EntryFinding | null) {
  return finding === null ? null : { ...finding, observedAt: instantJson(finding.observedAt) };
}

function instantJson(instant: number | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
