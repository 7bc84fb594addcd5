import type { RatioEstimate } from '../../../evaluation/bootstrap/pairedRatio.js';
import { type Markup, markup } from '../../markup/markup.js';
import type { MetricInfo } from '../../metricInfo.js';
import { allCells, type Report } from '../../report.js';
import { confidenceText, countText, estimateText, percentText, ratioText } from '../../words/numbers.js';
import { CellNamer, cellColumns, sharedDimensions } from '../cellColumns.js';
import { dataTable, dataText, numericColumn } from '../table.js';

/** Masked-harm fraction, hindsight share and PIT utility retention, or why a cell has none. */
export function ratiosSection(report: Report): Markup {
  const namer = new CellNamer(report);
  const { resamples, confidence } = report.bootstrap;
  const text = (ratio: RatioEstimate) => {
    const skipped =
      ratio.value !== null && ratio.undefinedResamples > 0
        ? `; ${countText(ratio.undefinedResamples)} of ${countText(resamples)} resamples do not define it`
        : '';
    return markup`<span class="${ratio.value === null ? 'reason' : 'value'}">${ratioText(ratio)}${skipped}</span>`;
  };
  const names = cellColumns(report);
  return markup`<section id="ratios">
<h2>Masked harm and hindsight share</h2>
<p>Ratios of mean effects over the same resamples. Masked-harm fraction: HG / |P − S|, where PIT memory harms. Hindsight share: HG / |F − S|, and retention: (P − S) / (F − S), where both memories help.</p>
${dataTable({
  caption: markup`Ratios with ${confidenceText(confidence)} intervals.${sharedDimensions(report)}`,
  columns: [
    ...names,
    { label: 'Masked-harm fraction' },
    { label: 'Hindsight share' },
    { label: 'PIT utility retention' },
  ],
  rows: allCells(report).map(({ effects }) => [
    ...namer.next(effects.key),
    text(effects.maskedHarmFraction),
    text(effects.hindsightShare),
    text(effects.pitUtilityRetention),
  ]),
  headers: names.length,
})}
</section>`;
}

/** Effects on assets of each type alone, at the deepest cutoff. */
export function assetTypesSection(report: Report): Markup | null {
  const types = deepestByType(report);
  if (types.length === 0) return null;
  const namer = new CellNamer(report);
  const confidence = confidenceText(report.bootstrap.confidence);
  const names = cellColumns(report);
  const rows = allCells(report).flatMap(({ effects }) =>
    types.map(({ name, assetType }) => {
      const { pitEffect, hindsightGain } = effects.contrasts[name]!;
      return [
        ...namer.next(effects.key),
        dataText(assetType!),
        estimateText(pitEffect),
        estimateText(hindsightGain),
        `${countText(hindsightGain.clusters)} of ${countText(effects.requests)}`,
      ];
    }),
  );
  return markup`<section id="types">
<h2>Asset types</h2>
<p>A request whose product holds no asset of a type does not count for it.</p>
${dataTable({
  caption: markup`Recall of one type of asset, at the cutoff of the headline metric.${sharedDimensions(report)}`,
  columns: [
    ...names,
    { label: 'Type' },
    numericColumn(`PIT effect [${confidence} CI]`),
    numericColumn(`HG [${confidence} CI]`),
    numericColumn('Requests that define it'),
  ],
  rows,
  headers: names.length + 1,
})}
</section>`;
}

/** Recall by type at the headline's cutoff: a metric each. */
function deepestByType({ headline, metrics }: Report): MetricInfo[] {
  if (headline === null) return [];
  return metrics.filter(({ name, assetType }) => assetType !== null && name === `${headline.name}_${assetType}`);
}

/** The headline effects without anchors whose memory held a near copy of the request. */
export function nearDuplicatesSection(report: Report): Markup {
  const namer = new CellNamer(report);
  const confidence = confidenceText(report.bootstrap.confidence);
  const names = cellColumns(report);
  const cells = allCells(report);
  const similarity = cells[0]?.effects.withoutNearDuplicates.similarity;
  return markup`<section id="near-duplicates">
<h2>Near duplicates</h2>
<p>The effects again, without anchors at which PIT or Future selected a neighbour with a similarity of ${similarity ?? 'the limit'} or more.</p>
${dataTable({
  caption: markup`${report.headline?.label ?? 'Recall'} without near duplicates.${sharedDimensions(report)}`,
  columns: [
    ...names,
    numericColumn('Anchors kept'),
    numericColumn('Share'),
    numericColumn(`PIT effect [${confidence} CI]`),
    numericColumn(`HG [${confidence} CI]`),
  ],
  rows: cells.map(({ effects }) => {
    const { anchors, pitEffect, hindsightGain } = effects.withoutNearDuplicates;
    return [
      ...namer.next(effects.key),
      `${countText(anchors)} of ${countText(effects.anchors)}`,
      percentText(anchors / effects.anchors),
      estimateText(pitEffect),
      estimateText(hindsightGain),
    ];
  }),
  headers: names.length,
})}
</section>`;
}
