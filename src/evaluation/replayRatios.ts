import type { PairedBootstrap } from './bootstrap/pairedBootstrap.js';
import { pairedRatio, type RatioEstimate } from './bootstrap/pairedRatio.js';

/** Ratios of the effects of memory and hindsight on one metric, each reported where it has a meaning. */
export interface RatioEstimates {
  /** MHF = HG / |P - S|: the share of the harm of memory that hindsight hides; where P - S < 0 (section 6.2). */
  readonly maskedHarmFraction: RatioEstimate;
  /** HG / |F - S|: the share of the apparent gain that is hindsight; where both memories help (section 3.5). */
  readonly hindsightShare: RatioEstimate;
  /** (P - S) / (F - S): the share of the apparent gain that was there at the time; where both help (section 3.5). */
  readonly pitUtilityRetention: RatioEstimate;
}

const noHarm = 'PIT memory does not harm: P - S >= 0';
const notBothHelp = 'PIT and Future memory do not both help: P - S <= 0 or F - S <= 0';

/**
 * The ratios of PIT Discovery, from means over clusters and over the same resamples as the effects.
 *
 * @param columns where the bootstrap holds HG = F - P, P - S and F - S, all defined at the same anchors
 */
export function replayRatios(
  bootstrap: PairedBootstrap,
  columns: { readonly hindsightGain: number; readonly pitEffect: number; readonly futureEffect: number },
): RatioEstimates {
  const { hindsightGain, pitEffect, futureEffect } = columns;
  return {
    maskedHarmFraction: pairedRatio(
      bootstrap,
      [hindsightGain, pitEffect],
      (gain, pit) => (pit! < 0 ? gain! / -pit! : Number.NaN),
      noHarm,
    ),
    hindsightShare: pairedRatio(
      bootstrap,
      [hindsightGain, pitEffect, futureEffect],
      (gain, pit, future) => (pit! > 0 && future! > 0 ? gain! / future! : Number.NaN),
      notBothHelp,
    ),
    pitUtilityRetention: pairedRatio(
      bootstrap,
      [pitEffect, futureEffect],
      (pit, future) => (pit! > 0 && future! > 0 ? pit! / future! : Number.NaN),
      notBothHelp,
    ),
  };
}
