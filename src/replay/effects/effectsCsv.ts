import { csvCell } from '../../columnar/csvCell.js';
import type { Estimate } from '../../evaluation/bootstrap/pairedBootstrap.js';
import type { RatioEstimate } from '../../evaluation/bootstrap/pairedRatio.js';
import type { CellEffects } from './effects.js';
import type { RunEffects } from './runEffects.js';

const header = [
  'domain',
  'stream',
  'retriever',
  'mechanism',
  'subset',
  'metric',
  'effect',
  'estimate',
  'lower',
  'upper',
  'reason',
  'clusters',
  'observations',
];

interface CsvRow {
  readonly subset: string;
  readonly metric: string;
  readonly effect: string;
  readonly value: number | null;
  readonly from?: Estimate | RatioEstimate;
}

/** The effects as one tidy table (RFC 4180, line feeds): an estimate a line, empty where there is none. */
export function effectsCsv(effects: RunEffects): string {
  const lines = effects.cells.flatMap((cell) =>
    cellRows(cell).map(({ subset, metric, effect, value, from }) => {
      const { domain, stream, retriever, mechanism } = cell.key;
      const counts = from !== undefined && 'clusters' in from ? [from.clusters, from.observations] : ['', ''];
      const interval = [from?.interval?.lower ?? '', from?.interval?.upper ?? '', from?.reason ?? ''];
      return [domain, stream, retriever, mechanism, subset, metric, effect, value ?? '', ...interval, ...counts];
    }),
  );
  return [header, ...lines].map((line) => `${line.map((value) => csvCell(String(value))).join(',')}\n`).join('');
}

function cellRows(cell: CellEffects): CsvRow[] {
  const estimate = (subset: string, metric: string, effect: string, from: Estimate): CsvRow => ({
    subset,
    metric,
    effect,
    value: from.mean,
    from,
  });
  const ratio = (effect: string, from: RatioEstimate): CsvRow => ({
    subset: 'all',
    metric: cell.headline,
    effect,
    value: from.value,
    from,
  });
  return [
    ...Object.entries(cell.means).flatMap(([condition, metrics]) =>
      Object.entries(metrics).map(([metric, value]) => ({ subset: 'all', metric, effect: `mean ${condition}`, value })),
    ),
    ...Object.entries(cell.contrasts).flatMap(([metric, contrasts]) => [
      estimate('all', metric, 'hindsight gain', contrasts.hindsightGain),
      estimate('all', metric, 'PIT effect', contrasts.pitEffect),
      estimate('all', metric, 'Future effect', contrasts.futureEffect),
    ]),
    ratio('masked-harm fraction', cell.maskedHarmFraction),
    ratio('hindsight share', cell.hindsightShare),
    ratio('PIT utility retention', cell.pitUtilityRetention),
    ...cell.dose.map(({ horizon, gain }) => estimate('all', cell.headline, `gain at horizon ${horizon}`, gain)),
    ...cell.quartiles.flatMap(({ quartile, hindsightGain, pitEffect }) => [
      estimate(`quartile ${quartile}`, cell.headline, 'hindsight gain', hindsightGain),
      estimate(`quartile ${quartile}`, cell.headline, 'PIT effect', pitEffect),
    ]),
    estimate('without near duplicates', cell.headline, 'hindsight gain', cell.withoutNearDuplicates.hindsightGain),
    estimate('without near duplicates', cell.headline, 'PIT effect', cell.withoutNearDuplicates.pitEffect),
  ];
}
