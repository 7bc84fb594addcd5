import type { SweepResult } from '../../evaluation/freshnessEvaluation/evaluateFreshness.js';
import {
  type FreshnessResults,
  halfLifeText,
  leakageHeader,
  leakageRow,
  methodRow,
  metricNames,
  queryRow,
  selectionHeader,
  selectionRow,
  shareText,
} from '../../report/freshness/freshnessRows.js';
import { printable } from '../../report/markup/escapeText.js';
import type { CliContext } from '../context.js';
import { stylerFor } from './style.js';
import { type Alignment, formatTable } from './table.js';

/** From least to greatest; a shade beside each number, so that the eye finds the ridge. */
const shades = [' ', '░', '▒', '▓', '█'] as const;

/** The evaluation as people read it. */
export function freshnessText(results: FreshnessResults, context: CliContext, perQuery: boolean): string {
  const style = stylerFor(context.stdout, context);
  const table = (rows: readonly (readonly string[])[], header: readonly string[], texts = 1) =>
    formatTable(rows, {
      header,
      alignments: header.map((_, column): Alignment => (column < texts ? 'left' : 'right')),
      styleHeader: (text) => style('bold', text),
    });
  const { queries, withoutRelevant, cutoff, similarity } = results;
  const names = metricNames(cutoff);
  const parts = [
    `${queries.length === 1 ? '1 query' : `${queries.length} queries`}, each as of its own time; similarity: ${similarity}; k = ${cutoff}\n`,
    withoutRelevant.length > 0
      ? `${withoutRelevant.length} without a relevant document by then, not scored: ${someOf(withoutRelevant)}\n`
      : '',
    `\n${table(results.methods.map(methodRow), ['method', ...names])}`,
  ];
  if (perQuery) {
    for (const result of results.methods) {
      const rows = queries.map((_, query) => queryRow(results, query, result).map((cell) => printable(cell)));
      const header = ['query', 'searched', 'as of', 'relevant', ...names];
      parts.push(`\n${style('bold', result.method)}\n${table(rows, header, 3)}`);
    }
  }
  for (const sweep of results.sweeps) {
    for (const metric of ['latest', 'precision'] as const) {
      const name = `${metric === 'latest' ? 'Latest' : 'P'}@${cutoff}`;
      const header = ['alpha \\ half-life', ...sweep.halfLives.map(halfLifeText)];
      parts.push(`\n${name} of ${sweep.method} by alpha and half-life\n${table(heatRows(sweep, metric), header)}`);
    }
  }
  if (results.sweeps.length > 0) {
    parts.push(`\nparameters chosen with hindsight and point in time, Latest@${cutoff}\n`);
    parts.push(table(results.sweeps.map(selectionRow), selectionHeader, 2));
  }
  for (const { method, at } of results.leakage) {
    parts.push(`\nstatistics leakage of ${method}: full corpus against D_t, top ${cutoff}\n`);
    parts.push(table(at.map(leakageRow), leakageHeader));
  }
  return parts.join('');
}

function heatRows(sweep: SweepResult, metric: 'latest' | 'precision'): string[][] {
  const values = sweep[metric];
  const defined = values.filter((value) => value !== null);
  const least = Math.min(...defined);
  const span = Math.max(...defined) - least;
  const cellOf = (value: number | null) => {
    const share = value === null || span === 0 ? 0 : (value - least) / span;
    return `${shades[Math.min(shades.length - 1, Math.floor(share * shades.length))]} ${shareText(value)}`;
  };
  const width = sweep.halfLives.length;
  return sweep.alphas.map((alpha, row) => [String(alpha), ...values.slice(row * width, (row + 1) * width).map(cellOf)]);
}

function someOf(ids: readonly string[]): string {
  const shown = ids
    .slice(0, 5)
    .map((id) => printable(id, {}))
    .join(', ');
  return ids.length > 5 ? `${shown} and ${ids.length - 5} more` : shown;
}
