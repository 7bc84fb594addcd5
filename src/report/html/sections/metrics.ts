import type { CellEffects } from '../../../replay/effects/effects.js';
import { type Markup, markup } from '../../markup/markup.js';
import type { MetricInfo } from '../../metricInfo.js';
import { allCells, type Report } from '../../report.js';
import { confidenceText, countText, estimateText, valueText } from '../../words/numbers.js';
import { cellTitle } from '../cellColumns.js';
import { dataTable, dataText, details, numericColumn } from '../table.js';

/** A run of more cells than this shows their metrics on demand. */
const openCells = 4;

/** Every metric at every cutoff, a table for each cell. */
export function metricsSection(report: Report): Markup {
  const cells = allCells(report).map(({ effects }) => effects);
  const isOpen = cells.length <= openCells;
  return markup`<section id="metrics">
<h2>Metrics and cutoffs</h2>
<p>Recall, coverage and complete-product success in points: higher is better. Ranks as they are: lower is better. A metric is averaged over the requests that define it; where conditions differ in these, an effect compares only the anchors at which both are defined and is not the difference of the means.</p>
${cells.map((cell) =>
  details(
    cellTitle(cell.key, report.varying),
    [metricTable(cell, report), details('Means under every condition', conditionTable(cell, report))],
    { isOpen },
  ),
)}
</section>`;
}

function metricTable(cell: CellEffects, { metrics, bootstrap }: Report): Markup {
  const confidence = confidenceText(bootstrap.confidence);
  return dataTable({
    caption: `Means by condition and effects, over ${countText(cell.anchors)} anchors of ${countText(cell.requests)} requests.`,
    columns: [
      { label: 'Metric' },
      numericColumn('Stateless'),
      numericColumn('PIT'),
      numericColumn('Future'),
      numericColumn(`PIT effect [${confidence} CI]`),
      numericColumn(`HG [${confidence} CI]`),
      numericColumn(`Future − Stateless [${confidence} CI]`),
      { label: 'Defined over, requests' },
    ],
    rows: metrics.map((metric) => metricRow(metric, cell)),
  });
}

function metricRow({ name, label, unit }: MetricInfo, cell: CellEffects) {
  const { pitEffect, hindsightGain, futureEffect } = cell.contrasts[name]!;
  const conditions = ['Stateless', 'PIT', 'Future'];
  const means = conditions.map((condition) => valueText(cell.means[condition]?.[name], unit));
  const defined = conditions.map((condition) => cell.definedRequests[condition]?.[name] ?? 0);
  const effects = [pitEffect, hindsightGain, futureEffect];
  return [
    dataText(label),
    ...means,
    ...effects.map((effect) => estimateText(effect, unit)),
    definedText([...defined, ...effects.map(({ clusters }) => clusters)], cell.requests),
  ];
}

const definedNames = ['S', 'P', 'F', 'P\u00a0−\u00a0S', 'F\u00a0−\u00a0P', 'F\u00a0−\u00a0S'];

/** `all 1,263`, `840 of 1,263`, or means and effects one by one where they differ. */
function definedText(counts: readonly number[], of: number): string {
  const isSame = counts.every((count) => count === counts[0]);
  if (isSame) return counts[0] === of ? `all ${countText(of)}` : `${countText(counts[0]!)} of ${countText(of)}`;
  const parts = counts.map((count, index) => `${definedNames[index]}\u00a0${countText(count)}`);
  return `${parts.join(', ')} of\u00a0${countText(of)}`;
}

function conditionTable(cell: CellEffects, { metrics, manifest }: Report): Markup {
  return dataTable({
    caption: 'Means under every condition that was replayed, over the requests that define each.',
    columns: [{ label: 'Metric' }, ...manifest.conditions.map(numericColumn)],
    rows: metrics.map(({ name, label, unit }) => [
      dataText(label),
      ...manifest.conditions.map((condition) => valueText(cell.means[condition]?.[name], unit)),
    ]),
  });
}
