import { Command } from 'commander';
import { ContractViolationError } from '../errors/ContractViolationError.js';
import { MissingResourceError } from '../errors/MissingResourceError.js';
import { cellDimensions, taggedName } from '../report/cellNames.js';
import { type GateReport, gateReport } from '../report/gateReport.js';
import { printable } from '../report/markup/escapeText.js';
import { confidenceText, estimateText } from '../report/words/numbers.js';
import { readRunReport } from '../store/runs/readRunReport.js';
import type { CliContext } from './context.js';
import { writeJson } from './output/json.js';
import { stylerFor } from './output/style.js';
import { formatTable } from './output/table.js';

const exitCodes = `
The run is audited first, and nothing recorded; with --recorded the decision rests on the audit that the run itself records,
which anybody who can write the folder can write too.
Exit codes: 0 the audit contract holds, whatever the gate decides of each cell; 3 the contract fails, or the run was
changed after it was made; 2 no run, or with --recorded a run that was made without an audit.`;

/** `asof gate <run>`: the release gate (PIT Discovery Table 7) over a run. */
export function gateCommand(context: CliContext): Command {
  return new Command('gate')
    .description('Judge a replay run: does the audit contract hold, and is its memory to be retained')
    .argument('<run>', 'folder of the run')
    .option('--recorded', 'believe the audit that the run records, instead of auditing it again')
    .option('--json', 'print JSON')
    .addHelpText('after', exitCodes)
    .action((run: string, values: GateValues) => judge(context, run, values));
}

interface GateValues {
  recorded?: boolean;
  json?: boolean;
}

async function judge(context: CliContext, run: string, { recorded, json }: GateValues): Promise<void> {
  const gate = gateReport(await readRunReport(run, { audit: recorded !== true }));
  if (gate.contract.state === 'not audited') {
    throw new MissingResourceError({
      resource: `the audit result in ${run}`,
      remedy:
        'the run was made without an audit; asof audit makes one, and asof gate without --recorded decides by a new one',
    });
  }
  if (json) writeJson(context.stdout, gate);
  else context.stdout.write(gateText(gate, context));
  if (gate.contract.state === 'fails') throw new ContractViolationError(gate.contract.words);
}

function gateText(gate: GateReport, context: CliContext): string {
  const style = stylerFor(context.stdout, context);
  const styleHeader = (text: string) => style('bold', text);
  const signals = formatTable(
    gate.signals.map(({ signal, criterion, action, found }) => [keyboardText(signal), criterion, found, action]),
    { header: ['signal', 'criterion', 'this run', 'interpretation and action'], styleHeader },
  );
  const violations = gate.contract.checks.flatMap(({ title, examples }) =>
    examples.map(({ where, found, expected }) => [title, where, found, expected].map((text) => printable(text))),
  );
  const parts = [`${gate.contract.words}\n`, signals];
  if (violations.length > 0) {
    parts.push(formatTable(violations, { header: ['violation of', 'where', 'found', 'expected'], styleHeader }));
  }
  if (gate.metric !== null) {
    const confidence = confidenceText(gate.confidence);
    parts.push(
      `${gate.metric.label} in points. The hindsight gain stands beside the decision, never in it.\n`,
      formatTable(gate.cells.map(cellRow), {
        header: [...cellDimensions, `PIT effect [${confidence} CI]`, 'decision', `hindsight gain [${confidence} CI]`],
        styleHeader,
      }),
    );
  }
  return parts.join('\n');
}

function cellRow({ key, decision, pitEffect, hindsightGain }: GateReport['cells'][number]): string[] {
  const names = cellDimensions.map((dimension) => printable(taggedName(key, dimension)));
  return [...names, keyboardText(estimateText(pitEffect)), decision ?? '', keyboardText(estimateText(hindsightGain))];
}

/** With the minus of the keyboard, as other commands print numbers for terminals and scripts. */
function keyboardText(text: string): string {
  return text.replaceAll('\u2212', '-');
}
