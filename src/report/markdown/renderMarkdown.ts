import { type CellDimension, taggedName } from '../cellNames.js';
import { claimsInWords } from '../contractFacts.js';
import type { Finding } from '../findings.js';
import { gateReport } from '../gateReport.js';
import type { CellReport, Report } from '../report.js';
import { confidenceText, countText, differenceText, estimateText, percentText, valueText } from '../words/numbers.js';
import { capitalised } from '../words/phrases.js';
import { codeBlock, codeSpan, escapeMarkdown } from './escapeMarkdown.js';

/** The report as Markdown, with tables in the form of the paper's Tables 5 to 7. */
export function renderMarkdown(report: Report): string {
  const { manifest, contract, cells, stressCells } = report;
  const parts = [
    `# ${escapeMarkdown(report.title)}\n`,
    `asof replay report, run ${codeSpan(manifest.runId)}, ${countText(manifest.rows)} rows, ${manifest.tool.name} ${escapeMarkdown(manifest.tool.version)}.\n`,
    ...report.measured.map((sentence) => `${escapeMarkdown(sentence)}\n`),
    ...report.notes.map((note) => `> Note: ${escapeMarkdown(note)}\n`),
    `**${escapeMarkdown(contract.words)}**\n`,
    ...report.findings.map(findingItem),
    ...(cells.length === 0 ? [] : ['## Paired effects\n', ...effectTables(cells, report)]),
    ...(stressCells.length === 0 ? [] : stressParts(report)),
    '## Gate\n',
    gateTable(report),
    '## Audit\n',
    ...claimsInWords(manifest).map((words) => `${escapeMarkdown(words)}\n`),
    auditTable(report),
    '## Inputs\n',
    inputTable(report),
    '## Reproduction\n',
    ...reproductionParts(report),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function stressParts(report: Report): string[] {
  return [
    '## Stress test: streams that use gold\n',
    'Such a stream orders requests by the assets they share. It is never taken together with other streams.\n',
    ...report.stressFindings.map(findingItem),
    ...effectTables(report.stressCells, report),
  ];
}

function findingItem(finding: Finding): string {
  const { mechanism, usesGold, decision, gate, pitEffect, hindsightGain, ratios, caveat } = finding;
  const name = `${mechanism}${usesGold ? ' (oracle)' : ''}`;
  const sentences = [gate, pitEffect, `Beside the decision, never part of it: ${hindsightGain}`, ...ratios];
  const text = [...sentences, ...(caveat === null ? [] : [caveat])].map(escapeMarkdown).join(' ');
  return `- **${escapeMarkdown(name)}: ${decision}.** ${text}\n`;
}

/** The form of Table 5, then ranges by domain in the form of Table 6, for each mechanism. */
function effectTables(cells: readonly CellReport[], report: Report): string[] {
  const mechanisms = [...new Set(cells.map(({ effects }) => effects.key.mechanism))];
  return mechanisms.flatMap((mechanism) => {
    const own = cells.filter(({ effects }) => effects.key.mechanism === mechanism);
    return [
      `### ${escapeMarkdown(taggedName(own[0]!.effects.key, 'mechanism'))}\n`,
      effectsTable(own, report),
      'Ranges over streams and retrievers:\n',
      rangesTable(own),
    ];
  });
}

function effectsTable(cells: readonly CellReport[], report: Report): string {
  const confidence = confidenceText(report.bootstrap.confidence);
  const dimensions = ['domain', 'stream', 'retriever'] as const;
  const header = ['Domain', 'Stream', 'Retriever', 'S', 'P', 'F'];
  const rows = cells.map((cell, index) => {
    const { effects, verdict } = cell;
    const { hindsightGain, pitEffect } = effects.contrasts[effects.headline]!;
    const mean = (condition: string) => valueText(effects.means[condition]?.[effects.headline]);
    return [
      ...dimensions.map((dimension, depth) => {
        const same = dimensions.slice(0, depth + 1).every((outer) => repeats(cells, index, outer));
        return same ? '' : taggedName(effects.key, dimension);
      }),
      ...['Stateless', 'PIT', 'Future'].map(mean),
      estimateText(hindsightGain),
      estimateText(pitEffect),
      percentText(effects.maskedHarmFraction.value),
      verdict === null ? 'No decision' : capitalised(verdict.decision),
    ];
  });
  return table([...header, `HG [${confidence} CI]`, `P − S [${confidence} CI]`, 'MHF', 'Gate'], rows);
}

function repeats(cells: readonly CellReport[], index: number, dimension: CellDimension): boolean {
  return index > 0 && cells[index - 1]!.effects.key[dimension] === cells[index]!.effects.key[dimension];
}

function rangesTable(cells: readonly CellReport[]): string {
  const domains = [...new Set(cells.map(({ effects }) => effects.key.domain))];
  const rows = domains.map((domain) => {
    const own = cells.filter(({ effects }) => effects.key.domain === domain);
    const contrasts = own.map(({ effects }) => effects.contrasts[effects.headline]!);
    return [
      domain,
      rangeText(contrasts.map(({ pitEffect }) => pitEffect.mean)),
      rangeText(contrasts.map(({ hindsightGain }) => hindsightGain.mean)),
    ];
  });
  return table(['Domain', 'PIT utility P − S', 'HG F − P'], rows);
}

function rangeText(means: readonly (number | null)[]): string {
  const defined = means.filter((mean) => mean !== null);
  if (defined.length === 0) return 'not defined';
  const [lowest, highest] = [differenceText(Math.min(...defined)), differenceText(Math.max(...defined))];
  return lowest === highest ? lowest : `${lowest} to ${highest}`;
}

function gateTable(report: Report): string {
  const { signals } = gateReport(report);
  return table(
    ['Signal', 'Criterion', 'Interpretation and action', 'This run'],
    signals.map(({ signal, criterion, action, found }) => [signal, criterion, action, found]),
  );
}

function auditTable({ contract }: Report): string {
  if (contract.checks.length === 0) return 'No audit is recorded.\n';
  const checks = contract.checks.map(({ title, outcome, checked, violations, note }) => [
    title,
    outcome,
    countText(checked),
    countText(violations),
    note ?? '',
  ]);
  const examples = contract.checks.flatMap(({ title, examples: own }) =>
    own.map(({ where, found, expected }) => [title, where, found, expected]),
  );
  return [
    table(['Check', 'Outcome', 'Comparisons', 'Violations', 'Note'], checks),
    ...(examples.length === 0 ? [] : [table(['Violation of', 'Where', 'Found', 'Expected'], examples)]),
  ].join('\n');
}

function inputTable({ manifest }: Report): string {
  const rows = manifest.domains.flatMap(({ name, inputs }) =>
    inputs.map((input) => [name, input.role, input.name, countText(input.bytes), input.sha256]),
  );
  return `${table(['Domain', 'Role', 'File', 'Bytes', 'SHA-256'], rows)}\nManifest hash ${codeSpan(manifest.hash)}.\n`;
}

function reproductionParts({ reproduction }: Report): string[] {
  const { command, experiment, hasPaths } = reproduction;
  return [
    ...(command === null ? [] : [codeBlock(command, 'sh')]),
    `The experiment with every default filled in${hasPaths ? '' : '; the paths of its inputs were not recorded'}:\n`,
    codeBlock(experiment, 'yaml'),
  ];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |\n`;
  return line(header) + line(header.map(() => '---')) + rows.map(line).join('');
}
