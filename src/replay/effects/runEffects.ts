import type { CellRows } from '../rows/cellRows.js';
import { type BootstrapSettings, type CellEffects, cellEffects } from './effects.js';
import { type MechanismSummary, summarise } from './summary.js';

/** What `effects.json` holds. */
export interface RunEffects {
  readonly format: 'asof-effects/1';
  readonly bootstrap: BootstrapSettings;
  readonly summary: readonly MechanismSummary[];
  /** The same over gold-overlap streams, which are never summarised together with others. */
  readonly stressSummary: readonly MechanismSummary[];
  readonly cells: readonly CellEffects[];
}

/** Effects of every cell and their summary; a function of the rows and the bootstrap settings alone. */
export function runEffects(cells: readonly CellRows[], settings: BootstrapSettings): RunEffects {
  const effects = cells.map((cell) => cellEffects(cell, settings));
  return {
    format: 'asof-effects/1',
    bootstrap: settings,
    summary: summarise(effects.filter((cell) => !cell.key.streamUsesGold)),
    stressSummary: summarise(effects.filter((cell) => cell.key.streamUsesGold)),
    cells: effects,
  };
}
