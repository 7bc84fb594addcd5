import type { Estimate } from '../../evaluation/bootstrap/pairedBootstrap.js';
import { type CellDimension, cellName, goldTags, tagOf } from '../cellNames.js';
import type { ForestMark, ForestPlot, ForestRow } from '../charts/forestPlot.js';
import type { Tone } from '../charts/marks.js';
import { allCells, type CellReport, type Report } from '../report.js';
import { confidenceText, differenceText, estimateText, intervalText } from '../words/numbers.js';
import { capitalised } from '../words/phrases.js';

/** Figure: PIT memory effect and hindsight gain of every cell, by domain; stress streams after the others. */
export function effectsForest(report: Report): ForestPlot {
  const { cells, stressCells, varying } = report;
  const label = report.headline?.label ?? '';
  const columns = varying.filter((dimension) => dimension !== 'domain');
  const confidence = confidenceText(report.bootstrap.confidence);
  return {
    id: 'figure-effects',
    title: `PIT memory effect and hindsight gain on ${label}`,
    description: allCells(report)
      .map((cell) => inWords(cell, varying))
      .join(' '),
    columns: columns.map(capitalised),
    groups: [...groupsOf(cells, report, columns, null), ...groupsOf(stressCells, report, columns, goldTags.stream)],
    legend: [
      { tone: 'pit', text: 'PIT memory effect (PIT − Stateless)' },
      { tone: 'future', text: 'Hindsight gain (Future − PIT)' },
    ],
    axisLabel: `Difference in points of ${label}`,
    valueHeader: `Points [${confidence} CI]`,
    sides: ['retrieves less', 'retrieves more'],
  };
}

function groupsOf(
  cells: readonly CellReport[],
  report: Report,
  columns: readonly CellDimension[],
  tag: string | null,
): ForestPlot['groups'] {
  const domains = [...new Set(cells.map(({ effects }) => effects.key.domain))];
  const isNamed = report.varying.includes('domain') || tag !== null;
  return domains.map((domain) => ({
    heading: isNamed ? `${domain}${tag === null ? '' : ` (${tag})`}` : '',
    rows: cells.filter(({ effects }) => effects.key.domain === domain).map((cell) => rowOf(cell, columns)),
  }));
}

function rowOf({ effects }: CellReport, columns: readonly CellDimension[]): ForestRow {
  const { hindsightGain, pitEffect } = effects.contrasts[effects.headline]!;
  return {
    labels: columns.map((dimension) => ({ text: effects.key[dimension], tag: tagOf(effects.key, dimension) })),
    marks: [markOf('pit', pitEffect), markOf('future', hindsightGain)],
  };
}

function markOf(tone: Tone, { mean, interval }: Estimate): ForestMark {
  const points = interval && { lower: 100 * interval.lower, upper: 100 * interval.upper };
  if (mean === null) return { tone, mean, interval: null, text: ['', 'not defined'] };
  const range = interval === null ? '(no interval)' : intervalText(interval);
  return { tone, mean: 100 * mean, interval: points, text: [differenceText(mean), range] };
}

function inWords({ effects }: CellReport, varying: readonly CellDimension[]): string {
  const { hindsightGain, pitEffect } = effects.contrasts[effects.headline]!;
  return `${cellName(effects.key, varying)}: PIT memory effect ${estimateText(pitEffect)}, hindsight gain ${estimateText(hindsightGain)}.`;
}
