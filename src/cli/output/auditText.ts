import { gapReasons } from '../../audit/external/AnswerAuditor.js';
import type { LogAudit } from '../../audit/external/auditLog.js';
import {
  describeFinding,
  formatRate,
  headFinding,
  groupDigits as n,
  printable,
  statusMeaning,
} from '../../audit/external/output/describe.js';
import { formatDuration } from '../../time/duration.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { CliContext } from '../context.js';
import { type Styler, stylerFor } from './style.js';
import { formatTable } from './table.js';

/** Findings and faults that a person is shown; the rest is in the JSON form. */
const shown = 20;

/** An audit for people at a terminal. Text out of the logs comes without control characters. */
export function auditText(audit: LogAudit, context: CliContext): string {
  const style = stylerFor(context.stdout, context);
  const status = style(audit.status === 'pass' ? 'bold' : 'red', audit.status.toUpperCase());
  let text = `${status}  ${statusMeaning[audit.status]}\n\n${formatTable(summary(audit))}`;
  if (audit.findings.length > 0) text += `\n${findingsTable(audit, style)}`;
  if (audit.faults.length > 0) text += `\n${faultList(audit)}`;
  return text;
}

function summary({ totals, events, rule, gaps }: LogAudit): string[][] {
  const { entries, rates } = totals;
  const upTo = (rate: number) => (totals.unverifiable > 0 ? ` (at most ${formatRate(rate)})` : '');
  const answers = `${n(totals.pass)} pass, ${n(totals.violation)} violation, ${n(totals.unverifiable)} unverifiable; ${n(totals.withoutEntries)} used nothing`;
  const used = `${n(entries.offending)} not observed strictly before (${n(entries.sameInstant)} at the very instant), ${n(entries.unverifiable)} unverifiable`;
  const tvr = `mean ${formatRate(rates.mean)}${upTo(rates.meanUpper)}, pooled ${formatRate(rates.pooled)}${upTo(rates.pooledUpper)}, highest ${formatRate(rates.highest)}`;
  const log = `${n(events.untimed)} without time, ${n(events.repeated)} records repeated, ${n(events.dependencies)} dependencies`;
  const rows = [
    ['answers', `${n(totals.answers)}: ${answers}`],
    ['used entries', `${n(entries.used)}: ${used}`],
    ['TVR', tvr],
    ['clock skew', `${formatDuration(rule.clockSkew)} tolerated; ${n(entries.tolerated)} entries pass by it alone`],
    ['events', `${n(events.distinct)}: ${log}`],
    ['rules', `two times for one event: ${rule.duplicates}; ids without a record: ${rule.unknown}`],
  ];
  const reasons = gapReasons.filter((reason) => gaps[reason] > 0).map((reason) => `${n(gaps[reason])} ${reason}`);
  if (reasons.length > 0) rows.push(['unverifiable', reasons.join(', ')]);
  return rows;
}

function findingsTable({ findings, totals }: LogAudit, style: Styler): string {
  const rows = findings
    .slice(0, shown)
    .map((verdict) => [
      printable(verdict.id, 40),
      verdict.askedAt === null ? '-' : formatInstant(verdict.askedAt),
      verdict.used === null ? '-' : n(verdict.used),
      n(verdict.offending),
      formatRate(verdict.tvr),
      printable(describeFinding(headFinding(verdict)!, verdict.askedAt), 240),
    ]);
  const table = formatTable(rows, {
    header: ['answer', 'asked at', 'used', 'later', 'TVR', 'first finding'],
    alignments: ['left', 'left', 'right', 'right', 'right'],
    styleHeader: (text) => style('bold', text),
  });
  const left = totals.answers - totals.pass - rows.length;
  return left > 0 ? `${table}and ${n(left)} more answers (--json, --per-answer)\n` : table;
}

function faultList({ faults, faultCounts }: LogAudit): string {
  const { cycles, conflicts, unknownEvents, unknownEntries } = faultCounts;
  const counts: [number, string][] = [
    [cycles, 'dependency cycles'],
    [conflicts, 'conflicting times'],
    [unknownEvents, 'events named but not described'],
    [unknownEntries, 'used entries that no event record describes'],
  ];
  const told = counts.filter(([count]) => count > 0).map(([count, what]) => `${n(count)} ${what}`);
  const lines = faults
    .slice(0, shown)
    .map(({ fileName, line, message }) => `  ${printable(`${fileName}:${line}: ${message}`, 400)}\n`);
  return `faults of the logs: ${told.join(', ')}\n${lines.join('')}`;
}
