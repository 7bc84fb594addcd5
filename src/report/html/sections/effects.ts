import { forestPlot } from '../../charts/forestPlot.js';
import { effectsForest } from '../../figures/effectsForest.js';
import { type Markup, markup } from '../../markup/markup.js';
import { allCells, type Report } from '../../report.js';
import { confidenceText, estimateText, percentText, valueText } from '../../words/numbers.js';
import { capitalised } from '../../words/phrases.js';
import { CellNamer, cellColumns, sharedDimensions } from '../cellColumns.js';
import { dataTable, numericColumn } from '../table.js';

/** Figure and table of the headline effects, cell by cell. */
export function effectsSection(report: Report): Markup {
  const cells = allCells(report);
  const confidence = confidenceText(report.bootstrap.confidence);
  const namer = new CellNamer(report);
  const rows = cells.map(({ verdict, effects }) => {
    const { hindsightGain, pitEffect } = effects.contrasts[effects.headline]!;
    const mean = (condition: string) => valueText(effects.means[condition]?.[effects.headline]);
    return [
      ...namer.next(effects.key),
      mean('Stateless'),
      mean('PIT'),
      mean('Future'),
      estimateText(pitEffect),
      verdict === null ? 'No decision' : capitalised(verdict.decision),
      estimateText(hindsightGain),
      percentText(effects.maskedHarmFraction.value),
    ];
  });
  const names = cellColumns(report);
  return markup`<section id="effects">
<h2>Effects</h2>
<p>Each effect is formed within an anchor, averaged by request and then over requests. Intervals hold ${confidence} of ${report.bootstrap.resamples} resamples of requests. The decision rests on the audit and on the interval of the PIT memory effect alone.</p>
<figure><div class="scroll">${forestPlot(effectsForest(report))}</div></figure>
${dataTable({
  caption: markup`Asset ${report.headline!.label} in points.${sharedDimensions(report)} MHF: masked-harm fraction, where PIT memory harms.`,
  columns: [
    ...names,
    numericColumn('Stateless'),
    numericColumn('PIT'),
    numericColumn('Future'),
    numericColumn(`PIT effect [${confidence} CI]`),
    { label: 'Gate', isUnbroken: true },
    numericColumn(`HG [${confidence} CI]`),
    numericColumn('MHF'),
  ],
  rows,
  headers: names.length,
})}
</section>`;
}
