import type { ContractReport } from '../../audit/contract/check.js';
import type { CliContext } from '../context.js';
import { numberOf } from './numberOf.js';
import { stylerFor } from './style.js';
import { formatTable } from './table.js';

/** The audit as people read it: each check with its count, then the first violations of those that failed. */
export function contractText(report: ContractReport, context: CliContext): string {
  const style = stylerFor(context.stdout, context);
  const rows = report.checks.map((check) => [
    check.violations > 0 ? 'violated' : check.checked > 0 ? 'holds' : 'not made',
    check.name,
    String(check.checked),
    String(check.violations),
    check.note === null ? check.title : `${check.title} (${check.note})`,
  ]);
  const table = formatTable(rows, {
    header: ['', 'check', 'compared', 'violations', 'what'],
    alignments: ['left', 'left', 'right', 'right'],
    styleHeader: (text) => style('bold', text),
  });
  const examples = report.checks.flatMap((check) =>
    check.examples.map(
      ({ where, found, expected }) => `  ${check.name}: ${where}: found ${found}, expected ${expected}\n`,
    ),
  );
  const verdict = report.holds
    ? `run ${report.runId}: the contract holds for ${numberOf(report.rows, 'row')}\n`
    : `${style('red', `run ${report.runId}: the contract is violated; the historical claim fails`)}\n`;
  return [table, ...(examples.length > 0 ? ['\nfirst violations\n', ...examples] : []), '\n', verdict].join('');
}
