import { linePanels } from '../../charts/linePanels.js';
import { positionPanels, quartileName } from '../../figures/positionPanels.js';
import { type Markup, markup } from '../../markup/markup.js';
import { allCells, type Report } from '../../report.js';
import { confidenceText, countText, estimateText, percentText, similarityText } from '../../words/numbers.js';
import { CellNamer, cellColumns, sharedDimensions } from '../cellColumns.js';
import { dataTable, numericColumn } from '../table.js';

/** Effects by anchor quartile, with what filled the memory slots there. */
export function positionSection(report: Report): Markup {
  const namer = new CellNamer(report);
  const rows = allCells(report).flatMap(({ effects }) =>
    effects.quartiles.map((own) => [
      ...namer.next(effects.key),
      quartileName(effects.key, own.quartile),
      countText(own.anchors),
      estimateText(own.pitEffect),
      estimateText(own.hindsightGain),
      percentText(own.slotFill.pit),
      percentText(own.slotFill.future),
      percentText(own.futureSlotShare),
      similarityText(own.nearestSimilarity.pit),
      similarityText(own.nearestSimilarity.future),
    ]),
  );
  const names = cellColumns(report);
  const confidence = confidenceText(report.bootstrap.confidence);
  return markup`<section id="position">
<h2>Anchor position</h2>
<p>Early anchors have more future to draw on. Where slots stay full and the nearest neighbour stays as near, a falling gain is the future thinning out and not memory running short.</p>
<figure><div class="scroll">${linePanels(positionPanels(report))}</div></figure>
${dataTable({
  caption: markup`Effects, slot fill and neighbours by anchor position.${sharedDimensions(report)} Future-slot share: entries that Future selected from after the anchor. Nearest: mean similarity of the nearest selected entry.`,
  columns: [
    ...names,
    { label: 'Position' },
    numericColumn('Anchors'),
    numericColumn(`PIT effect [${confidence} CI]`),
    numericColumn(`HG [${confidence} CI]`),
    numericColumn('Slots filled, PIT'),
    numericColumn('Slots filled, Future'),
    numericColumn('Future-slot share'),
    numericColumn('Nearest, PIT'),
    numericColumn('Nearest, Future'),
  ],
  rows,
  headers: names.length + 1,
})}
</section>`;
}
