import { axisX, dot, gridX, gridY, line, link, ruleX, ruleY, text } from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { quartileName } from '../../../src/report/figures/positionPanels.js';
import type { CellReport } from '../../../src/report/report.js';
import { colours, PlotFigure } from './PlotFigure.js';

/** A cell with the name it goes by. */
export interface NamedCell {
  readonly name: string;
  readonly cell: CellReport;
}

interface Interval {
  readonly name: string;
  readonly effect: string;
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

const effectNames = { pitEffect: 'PIT effect (P − S)', hindsightGain: 'Hindsight gain (F − P)' } as const;

function intervalsOf({ name, cell }: NamedCell, metric: string): Interval[] {
  const contrasts = cell.effects.contrasts[metric];
  if (contrasts === undefined) return [];
  return (['pitEffect', 'hindsightGain'] as const).flatMap((effect) => {
    const { mean, interval } = contrasts[effect];
    if (mean === null) return [];
    const scale = metric.startsWith('rank_') ? 1 : 100;
    const lower = (interval?.lower ?? mean) * scale;
    const upper = (interval?.upper ?? mean) * scale;
    return [{ name, effect: effectNames[effect], mean: mean * scale, lower, upper }];
  });
}

/** Effects of every cell with their intervals, zero in the middle. */
export function ForestPlot({ cells, metric }: { cells: readonly NamedCell[]; metric: string }) {
  const data = cells.flatMap((cell) => intervalsOf(cell, metric));
  const options = useCallback(
    (width: number) => {
      const narrow = width < 620;
      const fill = (row: Interval) => (row.effect === effectNames.pitEffect ? colours.pit : colours.future);
      return {
        height: 60 + cells.length * 52,
        marginLeft: narrow ? 110 : 220,
        marginRight: narrow ? 16 : 130,
        fy: { domain: cells.map(({ name }) => name), axis: null, padding: 0.15 },
        y: { domain: Object.values(effectNames), axis: null, padding: 0.3 },
        x: { label: metric.startsWith('rank_') ? 'ranks' : 'points', nice: true, zero: true },
        marks: [
          gridX({ stroke: colours.grid, strokeOpacity: 1 }),
          axisX({ anchor: 'bottom' }),
          ruleX([0], { stroke: colours.muted }),
          link(data, {
            fy: 'name',
            x1: 'lower',
            x2: 'upper',
            y1: 'effect',
            y2: 'effect',
            stroke: fill,
            strokeWidth: 2,
          }),
          dot(data, {
            fy: 'name',
            x: 'mean',
            y: 'effect',
            fill,
            r: 4.5,
            symbol: (row: Interval) => (row.effect === effectNames.pitEffect ? 'circle' : 'square'),
          }),
          text(
            cells.map(({ name }) => ({ name })),
            {
              fy: 'name',
              text: 'name',
              frameAnchor: 'left',
              dx: narrow ? -106 : -214,
              textAnchor: 'start',
              lineWidth: narrow ? 9 : 18,
              fill: colours.ink,
            },
          ),
          ...(narrow
            ? []
            : [
                text(data, {
                  fy: 'name',
                  y: 'effect',
                  frameAnchor: 'right',
                  dx: 124,
                  textAnchor: 'end',
                  fill: colours.ink,
                  text: (row: Interval) => `${row.mean.toFixed(2)} [${row.lower.toFixed(2)}, ${row.upper.toFixed(2)}]`,
                }),
              ]),
        ],
      };
    },
    [cells, metric],
  );
  const words = data.map(
    (row) =>
      `${row.name}, ${row.effect}: ${row.mean.toFixed(2)}, interval ${row.lower.toFixed(2)} to ${row.upper.toFixed(2)}`,
  );
  return <PlotFigure label={`Effects with intervals. ${words.join('. ')}`} options={options} />;
}

/** Gain over past-only memory by how far into the future memory may look. */
export function DosePlot({ cells }: { cells: readonly NamedCell[] }) {
  const data = cells.flatMap(({ name, cell }) =>
    cell.effects.dose.flatMap(({ horizon, gain }) =>
      gain.mean === null
        ? []
        : [
            {
              name,
              horizon: `+${horizon}`,
              mean: gain.mean * 100,
              lower: (gain.interval?.lower ?? gain.mean) * 100,
              upper: (gain.interval?.upper ?? gain.mean) * 100,
            },
          ],
    ),
  );
  const horizons = [...new Set(data.map(({ horizon }) => horizon))];
  const options = useCallback(
    () => ({
      height: 90 + cells.length * 110,
      marginLeft: 48,
      marginTop: 30,
      x: { domain: horizons, label: 'events of the future that memory may hold' },
      y: { label: 'gain, points', grid: true, zero: true },
      fy: { domain: cells.map(({ name }) => name), axis: null },
      marks: [
        gridY({ stroke: colours.grid, strokeOpacity: 1 }),
        ruleY([0], { stroke: colours.muted }),
        ruleX(data, { fy: 'name', x: 'horizon', y1: 'lower', y2: 'upper', stroke: colours.future }),
        line(data, { fy: 'name', x: 'horizon', y: 'mean', stroke: colours.future }),
        dot(data, { fy: 'name', x: 'horizon', y: 'mean', fill: colours.future, symbol: 'square' }),
        text(
          cells.map(({ name }) => ({ name })),
          { fy: 'name', text: 'name', frameAnchor: 'top-left', dy: -12, textAnchor: 'start', fill: colours.ink },
        ),
      ],
    }),
    [cells],
  );
  const words = data.map(({ name, horizon, mean }) => `${name} ${horizon}: ${mean.toFixed(2)}`);
  return <PlotFigure label={`Gain by horizon, in points. ${words.join('. ')}`} options={options} />;
}

/** Effects by where in the stream the anchors are. */
export function QuartilePlot({ cells }: { cells: readonly NamedCell[] }) {
  const data = cells.flatMap(({ name, cell }) =>
    cell.effects.quartiles.flatMap(({ quartile, pitEffect, hindsightGain }) => [
      { name, quartile: quartileName(cell.effects.key, quartile), effect: effectNames.pitEffect, mean: pitEffect },
      {
        name,
        quartile: quartileName(cell.effects.key, quartile),
        effect: effectNames.hindsightGain,
        mean: hindsightGain,
      },
    ]),
  );
  const rows = data.flatMap(({ mean, ...row }) =>
    mean.mean === null
      ? []
      : [
          {
            ...row,
            mean: mean.mean * 100,
            lower: (mean.interval?.lower ?? mean.mean) * 100,
            upper: (mean.interval?.upper ?? mean.mean) * 100,
          },
        ],
  );
  const options = useCallback(() => {
    const stroke = (row: { effect: string }) => (row.effect === effectNames.pitEffect ? colours.pit : colours.future);
    return {
      height: 90 + cells.length * 120,
      marginLeft: 48,
      marginTop: 30,
      x: { domain: [...new Set(rows.map(({ quartile }) => quartile))], label: 'place in the stream' },
      y: { label: 'points', zero: true },
      fy: { domain: cells.map(({ name }) => name), axis: null },
      marks: [
        gridY({ stroke: colours.grid, strokeOpacity: 1 }),
        ruleY([0], { stroke: colours.muted }),
        ruleX(rows, { fy: 'name', x: 'quartile', y1: 'lower', y2: 'upper', stroke }),
        line(rows, { fy: 'name', x: 'quartile', y: 'mean', z: 'effect', stroke }),
        dot(rows, {
          fy: 'name',
          x: 'quartile',
          y: 'mean',
          fill: stroke,
          symbol: (row: { effect: string }) => (row.effect === effectNames.pitEffect ? 'circle' : 'square'),
        }),
        text(
          cells.map(({ name }) => ({ name })),
          { fy: 'name', text: 'name', frameAnchor: 'top-left', dy: -12, textAnchor: 'start', fill: colours.ink },
        ),
      ],
    };
  }, [cells]);
  const words = rows.map(({ name, quartile, effect, mean }) => `${name}, ${quartile}, ${effect}: ${mean.toFixed(2)}`);
  return <PlotFigure label={`Effects by place in the stream, in points. ${words.join('. ')}`} options={options} />;
}

/** What the marks stand for; shapes tell them apart as well as colours. */
export function EffectLegend() {
  return (
    <ul class="legend">
      <li>
        <span class="mark pit" /> {effectNames.pitEffect}: what past-only memory changes
      </li>
      <li>
        <span class="mark future" /> {effectNames.hindsightGain}: what only the future gives
      </li>
    </ul>
  );
}
