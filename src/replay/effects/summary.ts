import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { CellEffects } from './effects.js';

/** Range of a headline estimate over cells, and in how many of them its interval lies on one side of zero. */
export interface EffectRange {
  readonly lowest: number;
  readonly highest: number;
  readonly cells: number;
  readonly intervalsAboveZero: number;
  readonly intervalsBelowZero: number;
}

/** What a run says as a whole, mechanism by mechanism: the sentences of the paper's abstract. */
export interface MechanismSummary {
  readonly mechanism: string;
  readonly usesGold: boolean;
  readonly hindsightGain: EffectRange | null;
  readonly pitEffect: EffectRange | null;
  readonly maskedHarmFraction: { readonly lowest: number; readonly highest: number; readonly cells: number } | null;
}

/**
 * Summarises cells over domains, streams and retrievers.
 * @throws InvalidArgumentError when a stream that looked at labels is among others: it manufactures ideal conditions for
 * memory, and its effects must not be averaged with theirs (PIT Discovery section 4.2)
 */
export function summarise(cells: readonly CellEffects[]): MechanismSummary[] {
  const stress = cells.find((cell) => cell.key.streamUsesGold);
  if (stress !== undefined && cells.some((cell) => !cell.key.streamUsesGold)) {
    throw new InvalidArgumentError({
      argument: 'cells',
      value: `${stress.key.domain}, stream ${stress.key.stream}`,
      expected: 'streams that did not look at relevance labels, or only such as did',
    });
  }
  const mechanisms = [...new Set(cells.map((cell) => cell.key.mechanism))];
  return mechanisms.map((mechanism) => {
    const own = cells.filter((cell) => cell.key.mechanism === mechanism);
    return {
      mechanism,
      usesGold: own.some((cell) => cell.key.mechanismUsesGold),
      hindsightGain: rangeOf(own.map((cell) => cell.contrasts[cell.headline]!.hindsightGain)),
      pitEffect: rangeOf(own.map((cell) => cell.contrasts[cell.headline]!.pitEffect)),
      maskedHarmFraction: fractionRange(own.flatMap((cell) => cell.maskedHarmFraction.value ?? [])),
    };
  });
}

function rangeOf(estimates: readonly CellEffects['contrasts'][string]['hindsightGain'][]): EffectRange | null {
  const means = estimates.flatMap(({ mean }) => mean ?? []);
  if (means.length === 0) return null;
  return {
    lowest: Math.min(...means),
    highest: Math.max(...means),
    cells: means.length,
    intervalsAboveZero: estimates.filter(({ interval }) => interval !== null && interval.lower > 0).length,
    intervalsBelowZero: estimates.filter(({ interval }) => interval !== null && interval.upper < 0).length,
  };
}

function fractionRange(values: readonly number[]): MechanismSummary['maskedHarmFraction'] {
  if (values.length === 0) return null;
  return { lowest: Math.min(...values), highest: Math.max(...values), cells: values.length };
}
