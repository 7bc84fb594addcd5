import type { CellEffects } from '../replay/effects.js';

/** What the release gate says of one cell (PIT Discovery Table 7). */
export type GateDecision = 'historical claim fails' | 'retain' | 'reject or retune' | 'inconclusive';

/** What the gate decides of a cell. */
export interface GateVerdict {
  readonly decision: GateDecision;
  /** One sentence: what was seen, and what to do. */
  readonly words: string;
}

/**
 * The gate: the audit contract decides first whether there is anything to interpret; then the interval of the PIT memory
 * effect decides. Hindsight gain stands beside the verdict, never in it.
 */
export function gate(cell: CellEffects, contractHolds: boolean): GateVerdict {
  if (!contractHolds) {
    return {
      decision: 'historical claim fails',
      words: 'The audit contract is violated: the historical claim fails. Rebuild every view from the event log.',
    };
  }
  const { interval, reason } = cell.contrasts[cell.headline]!.pitEffect;
  if (interval === null) {
    return {
      decision: 'inconclusive',
      words: `The PIT memory effect has no interval (${reason}): utility is inconclusive. Collect more evidence.`,
    };
  }
  if (interval.lower > 0) {
    return {
      decision: 'retain',
      words: 'The interval of the PIT memory effect lies above zero: memory helps. Retain it for the tested workload.',
    };
  }
  if (interval.upper < 0) {
    return {
      decision: 'reject or retune',
      words: 'The interval of the PIT memory effect lies below zero: memory harms. Reject or retune it.',
    };
  }
  return {
    decision: 'inconclusive',
    words: 'The interval of the PIT memory effect contains zero: utility is inconclusive. Collect more evidence.',
  };
}
