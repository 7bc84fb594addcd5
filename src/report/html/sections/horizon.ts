import type { Estimate } from '../../../evaluation/bootstrap/pairedBootstrap.js';
import { linePanels } from '../../charts/linePanels.js';
import { gainsOf, horizonPanels, horizonsOf } from '../../figures/horizonPanels.js';
import { type Markup, markup } from '../../markup/markup.js';
import { allCells, type Report } from '../../report.js';
import { confidenceText, countText, estimateText, percentText } from '../../words/numbers.js';
import { CellNamer, cellColumns, sharedDimensions } from '../cellColumns.js';
import { dataTable, numericColumn } from '../table.js';

/** Dose: how the hindsight gain grows with the number of future events that memory may hold. */
export function horizonSection(report: Report): Markup {
  const cells = allCells(report);
  const horizons = horizonsOf(cells.map(({ effects }) => effects));
  if (horizons.length === 0) {
    return markup`<section id="horizon">
<h2>Future horizon</h2>
<p>No Future-h condition was replayed.</p>
</section>`;
  }
  const namer = new CellNamer(report);
  const rows = cells.map(({ effects }) => {
    const whole = effects.contrasts[effects.headline]!.hindsightGain.mean;
    return [...namer.next(effects.key), ...gainsOf(effects, horizons).map(({ gain }) => gainCell(gain, whole))];
  });
  const names = cellColumns(report);
  return markup`<section id="horizon">
<h2>Future horizon</h2>
<p>What memory gains from the next h events alone. A gain at a short horizon says that leakage is local: nearby future requests are related ones.</p>
<figure><div class="scroll">${linePanels(horizonPanels(report))}</div></figure>
${dataTable({
  caption: markup`Gain of Future-h over PIT with its ${confidenceText(report.bootstrap.confidence)} interval, in points of ${report.headline!.label}; below it the share of the gain over the whole stream, where that is positive.${sharedDimensions(report)}`,
  columns: [
    ...names,
    ...horizons.map((horizon) => numericColumn(`h = ${countText(horizon)}`)),
    numericColumn('Whole stream'),
  ],
  rows,
  headers: names.length,
})}
</section>`;
}

function gainCell(gain: Estimate | null, whole: number | null): Markup {
  if (gain === null) return markup`–`;
  const isShare = gain.mean !== null && whole !== null && whole > 0;
  return markup`${estimateText(gain)}${isShare && markup`<span class="below">${percentText(gain.mean! / whole)}</span>`}`;
}
