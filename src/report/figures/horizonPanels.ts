import type { Estimate } from '../../evaluation/bootstrap/pairedBootstrap.js';
import type { CellEffects } from '../../replay/effects/effects.js';
import { cellName } from '../cellNames.js';
import type { LinePanels, PanelPlace, PanelPoint } from '../charts/linePanels.js';
import { logScale } from '../charts/scale.js';
import { allCells, type Report } from '../report.js';
import { countText, estimateText } from '../words/numbers.js';
import { facetsOf, panelsPerRow, streamSuffix, streamsOf } from './facets.js';

/** Share of the axis that the horizons take; the rest sets the whole stream apart from them. */
const horizonShare = 0.82;

/** Figure: hindsight gain by how far ahead memory may look, and over the whole stream (the paper's Figure 3, top). */
export function horizonPanels(report: Report): LinePanels {
  const streams = streamsOf(report);
  const cells = allCells(report).map(({ effects }) => effects);
  const horizons = horizonsOf(cells);
  return {
    id: 'figure-horizon',
    title: 'Hindsight gain by future horizon',
    description: cells
      .map((cell) => `${cellName(cell.key, report.varying)}: ${gainsOf(cell, horizons).map(inWords).join(', ')}.`)
      .join(' '),
    panels: facetsOf(report).map(({ title, tag, cells: own }) => ({
      title,
      tag,
      series: own.map((cell) => ({
        tone: 'future',
        pattern: streams.indexOf(cell.key.stream),
        points: gainsOf(cell, horizons).map(({ gain }) => pointOf(gain)),
      })),
    })),
    perRow: panelsPerRow(report),
    places: placesOf(horizons),
    horizontalLabel: 'Future events h (log scale)',
    verticalLabel: `Points of ${report.headline?.label ?? ''}`,
    legend: streams.map((stream, pattern) => ({
      tone: 'future',
      pattern,
      text: `Future-h − PIT${streamSuffix(report, stream)}`,
    })),
  };
}

export interface HorizonGain {
  readonly horizon: number | 'all';
  /** Null where the horizon was not replayed. */
  readonly gain: Estimate | null;
}

/** Horizons of any of the cells, ascending. */
export function horizonsOf(cells: readonly CellEffects[]): number[] {
  return [...new Set(cells.flatMap(({ dose }) => dose.map(({ horizon }) => horizon)))].sort((a, b) => a - b);
}

/** Gains at every horizon of the run, then over the whole stream. */
export function gainsOf(cell: CellEffects, horizons: readonly number[]): HorizonGain[] {
  return [
    ...horizons.map((horizon) => ({ horizon, gain: cell.dose.find((dose) => dose.horizon === horizon)?.gain ?? null })),
    { horizon: 'all', gain: cell.contrasts[cell.headline]!.hindsightGain },
  ];
}

function inWords({ horizon, gain }: HorizonGain): string {
  return `${horizon} ${gain === null ? 'not replayed' : estimateText(gain)}`;
}

function placesOf(horizons: readonly number[]): PanelPlace[] {
  const share = logScale(horizons, [0, horizonShare]);
  return [
    ...horizons.map((horizon) => ({ share: share(horizon), label: countText(horizon) })),
    { share: 1, label: 'all', isApart: true },
  ];
}

/** An estimate as a point of a panel, in points. */
export function pointOf(estimate: Estimate | null): PanelPoint {
  if (estimate === null || estimate.mean === null) return { mean: null, interval: null };
  const { mean, interval } = estimate;
  return { mean: 100 * mean, interval: interval && { lower: 100 * interval.lower, upper: 100 * interval.upper } };
}
