import type { LogAudit } from '../auditLog.js';
import { describeFinding, headFinding } from './describe.js';

/** Rules that results refer to. */
const rules = [
  {
    id: 'later-event',
    level: 'error',
    text: 'An answer used an event, or what depends on one, that was observed after it was asked for.',
  },
  {
    id: 'same-instant',
    level: 'error',
    text: 'An answer used an event, or what depends on one, that was observed at the very instant at which it was asked for.',
  },
  {
    id: 'unverifiable',
    level: 'warning',
    text: 'An answer used an entry that cannot be checked, for want of a time or a record.',
  },
  { id: 'cycle', level: 'error', text: 'Events depend on one another, so none of them can have been made.' },
  { id: 'conflicting-times', level: 'error', text: 'Two records give one event different observation times.' },
  { id: 'unknown-event', level: 'error', text: 'An event depends on one that no record describes.' },
  { id: 'unknown-entry', level: 'error', text: 'An answer used an event that no record describes.' },
] as const;

type RuleId = (typeof rules)[number]['id'];

/**
 * An audit as a SARIF 2.1.0 log: one result for each answer that did not pass, at its line in the answer log, and one for
 * each fault of the logs. Code scanning services take some thousands of results; `keep` of the audit bounds them.
 */
export function auditSarif(audit: LogAudit, toolVersion: string) {
  const results = [
    ...audit.findings.map((verdict) => {
      const finding = headFinding(verdict)!;
      const rule: RuleId =
        finding.reason === 'later'
          ? 'later-event'
          : finding.reason === 'same-instant'
            ? 'same-instant'
            : 'unverifiable';
      const message = `answer ${verdict.id}: ${describeFinding(finding, verdict.askedAt)}`;
      return result(rule, message, verdict.fileName, verdict.line, verdict.id);
    }),
    ...audit.faults.map(({ kind, event, message, fileName, line }) => result(kind, message, fileName, line, event)),
  ];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'asof audit-log',
            version: toolVersion,
            rules: rules.map(({ id, level, text }) => ({
              id,
              shortDescription: { text },
              defaultConfiguration: { level },
            })),
          },
        },
        results,
        properties: {
          status: audit.status,
          clockSkewMilliseconds: audit.rule.clockSkew,
          answers: audit.totals.answers,
          temporalViolationRate: audit.totals.rates,
        },
      },
    ],
  };
}

function result(rule: RuleId, text: string, file: string, line: number, subject: string) {
  const ruleIndex = rules.findIndex(({ id }) => id === rule);
  return {
    ruleId: rule,
    ruleIndex,
    level: rules[ruleIndex]!.level,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } } }],
    // The subject rather than the line: it stays when earlier lines are added or go.
    partialFingerprints: { 'asofSubject/v1': `${rule}:${subject}` },
  };
}

/** A path as a URI reference: forward slashes, every part percent-encoded. */
function uriOf(file: string): string {
  return file
    .replace(/\p{Cs}/gu, '\u{FFFD}')
    .split(/[\\/]/)
    .map(encodeURIComponent)
    .join('/');
}
