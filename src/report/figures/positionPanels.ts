import type { CellEffects, QuartileEffects } from '../../replay/effects/effects.js';
import { windowCentres } from '../../replay/plan/anchors.js';
import { cellName } from '../cellNames.js';
import type { LinePanels, PanelSeries } from '../charts/linePanels.js';
import { allCells, type Report } from '../report.js';
import { estimateText } from '../words/numbers.js';
import { facetsOf, panelsPerRow, streamSuffix, streamsOf } from './facets.js';
import { pointOf } from './horizonPanels.js';

const quarters = ['1st quarter', '2nd quarter', '3rd quarter', '4th quarter'];

/** Where the anchors of a quartile lie: around a position of a constructed stream, in a quarter of a natural one. */
export function quartileName({ streamKind }: CellEffects['key'], quartile: number): string {
  const name = streamKind === 'natural' ? quarters[quartile - 1] : `${windowCentres[quartile - 1]}%`;
  return name ?? String(quartile);
}

/** Figure: effects by where in the stream the anchor lies (the paper's Figure 3, bottom). */
export function positionPanels(report: Report): LinePanels {
  const streams = streamsOf(report);
  const cells = allCells(report).map(({ effects }) => effects);
  const quartiles = [...new Set(cells.flatMap((cell) => cell.quartiles.map(({ quartile }) => quartile)))].sort(
    (a, b) => a - b,
  );
  return {
    id: 'figure-position',
    title: 'PIT memory effect and hindsight gain by anchor position',
    description: cells
      .map(
        (cell) =>
          `${cellName(cell.key, report.varying)}: ${cell.quartiles.map((own) => inWords(cell, own)).join('; ')}.`,
      )
      .join(' '),
    panels: facetsOf(report).map(({ title, tag, cells: own }) => ({
      title,
      tag,
      series: own.flatMap((cell) => seriesOf(cell, quartiles, streams.indexOf(cell.key.stream))),
    })),
    perRow: panelsPerRow(report),
    places: quartiles.map((quartile, index) => ({
      share: quartiles.length === 1 ? 0.5 : index / (quartiles.length - 1),
      label: [...new Set(cells.map((cell) => quartileName(cell.key, quartile)))].join(' or '),
    })),
    horizontalLabel: 'Position of the anchor in the stream',
    verticalLabel: `Points of ${report.headline?.label ?? ''}`,
    legend: streams.flatMap((stream, pattern) => [
      { tone: 'pit' as const, pattern, text: `PIT memory effect${streamSuffix(report, stream)}` },
      { tone: 'future' as const, pattern, text: `Hindsight gain${streamSuffix(report, stream)}` },
    ]),
  };
}

function seriesOf(cell: CellEffects, quartiles: readonly number[], pattern: number): PanelSeries[] {
  const own = quartiles.map((quartile) => cell.quartiles.find((candidate) => candidate.quartile === quartile));
  return [
    { tone: 'pit', pattern, points: own.map((found) => pointOf(found?.pitEffect ?? null)) },
    { tone: 'future', pattern, points: own.map((found) => pointOf(found?.hindsightGain ?? null)) },
  ];
}

function inWords({ key }: CellEffects, { quartile, pitEffect, hindsightGain }: QuartileEffects): string {
  return `${quartileName(key, quartile)} PIT memory effect ${estimateText(pitEffect)}, hindsight gain ${estimateText(hindsightGain)}`;
}
