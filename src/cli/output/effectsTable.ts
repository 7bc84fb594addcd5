import type { Estimate } from '../../evaluation/bootstrap/pairedBootstrap.js';
import type { CellEffects } from '../../replay/effects/effects.js';
import type { RunEffects } from '../../replay/effects/runEffects.js';
import type { CliContext } from '../context.js';
import { stylerFor } from './style.js';
import { formatTable } from './table.js';

/** The headline effects of every cell, in points, with intervals. */
export function effectsText(effects: RunEffects, context: CliContext): string {
  const style = stylerFor(context.stdout, context);
  const table = formatTable(effects.cells.map(cellRow), {
    header: [
      'domain',
      'stream',
      'retriever',
      'mechanism',
      'S',
      'P',
      'F',
      'HG = F - P',
      'PIT effect = P - S',
      'MHF',
      'anchors',
    ],
    alignments: ['left', 'left', 'left', 'left', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
    styleHeader: (text) => style('bold', text),
  });
  const [first] = effects.cells;
  const what = first === undefined ? 'no cells' : `${first.headline} in points (x 100), means over requests`;
  const share = `${effects.bootstrap.confidence * 100}%`;
  return `${what}; intervals hold ${share} of ${effects.bootstrap.resamples} resamples of requests\n\n${table}`;
}

function cellRow(cell: CellEffects): string[] {
  const { key, headline, means, contrasts, maskedHarmFraction, anchors } = cell;
  const { hindsightGain, pitEffect } = contrasts[headline]!;
  const oracle = key.mechanismUsesGold ? ' (oracle)' : '';
  const stress = key.streamUsesGold ? ' (uses gold)' : '';
  return [
    key.domain,
    key.stream + stress,
    key.retriever,
    key.mechanism + oracle,
    ...['Stateless', 'PIT', 'Future'].map((condition) => points(means[condition]![headline]!)),
    withInterval(hindsightGain),
    withInterval(pitEffect),
    maskedHarmFraction.value === null ? '-' : `${(100 * maskedHarmFraction.value).toFixed(1)}%`,
    String(anchors),
  ];
}

function points(value: number | null): string {
  return value === null ? '-' : (100 * value).toFixed(2);
}

function withInterval({ mean, interval, reason }: Estimate): string {
  const value = mean === null ? '-' : `${mean > 0 ? '+' : ''}${points(mean)}`;
  return interval === null ? `${value} (${reason})` : `${value} [${points(interval.lower)}, ${points(interval.upper)}]`;
}
