import { formatDuration } from '../../../time/duration.js';
import type { LogAudit } from '../auditLog.js';
import { describeFinding, groupDigits, headFinding, statusMeaning } from './describe.js';

/**
 * An audit as JUnit XML: one case for all answers that passed, one for each that did not, one for each fault of the logs.
 * A violation is a failure, a fault an error; what could not be checked is skipped, or a failure when `strict`.
 */
export function auditJunit(audit: LogAudit, options: { strict?: boolean } = {}): string {
  const strict = options.strict === true;
  const { totals, findings, faults } = audit;
  const cases: string[] = [];
  let failures = 0;
  let skipped = 0;
  if (totals.pass > 0) cases.push(testCase('answers', `${groupDigits(totals.pass)} answers used nothing from later`));
  for (const verdict of findings) {
    const message = `${describeFinding(headFinding(verdict)!, verdict.askedAt)} (${verdict.fileName}:${verdict.line})`;
    const isFailure = verdict.status === 'violation' || strict;
    if (isFailure) failures++;
    else skipped++;
    cases.push(testCase('answers', `answer ${verdict.id}`, isFailure ? 'failure' : 'skipped', message));
  }
  for (const { kind, event, message, fileName, line } of faults) {
    cases.push(testCase('logs', `${kind} ${event}`, 'error', `${message} (${fileName}:${line})`));
  }
  const left = totals.answers - totals.pass - findings.length;
  if (left > 0) {
    failures++;
    cases.push(testCase('answers', 'further answers', 'failure', `${groupDigits(left)} more answers did not pass`));
  }
  const counts = `tests="${cases.length}" failures="${failures}" errors="${faults.length}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="asof audit-log" ${counts}>`,
    `<testsuite name="${escapeXml(statusMeaning[audit.status])}" ${counts}>`,
    `<properties><property name="clockSkew" value="${formatDuration(audit.rule.clockSkew)}"/></properties>`,
    ...cases,
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase(group: string, name: string, outcome?: 'failure' | 'error' | 'skipped', message = ''): string {
  const head = `<testcase classname="asof.audit-log.${group}" name="${escapeXml(name)}"`;
  return outcome === undefined ? `${head}/>` : `${head}><${outcome} message="${escapeXml(message)}"/></testcase>`;
}

/** Text as an attribute value; characters that XML 1.0 cannot hold become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
