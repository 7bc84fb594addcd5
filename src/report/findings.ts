import type { GateDecision, GateVerdict } from '../audit/gate.js';
import type { Estimate } from '../evaluation/bootstrap/pairedBootstrap.js';
import type { RatioEstimate } from '../evaluation/bootstrap/pairedRatio.js';
import type { CellEffects } from '../replay/effects/effects.js';
import { metricInfo } from './metricInfo.js';
import { differenceText, intervalOrReason, percentText, ratioText } from './words/numbers.js';
import { capitalised, counted, listed } from './words/phrases.js';

/** What a run says of one mechanism, in words made from the numbers. */
export interface Finding {
  readonly mechanism: string;
  readonly usesGold: boolean;
  readonly cells: number;
  /** The gate's decision, `Reject or retune`, or `Differs by cell`; `No decision` without an audit. */
  readonly decision: string;
  /** What the gate bases it on. */
  readonly gate: string;
  readonly pitEffect: string;
  /** Stands beside the decision, never in it. */
  readonly hindsightGain: string;
  /** Masked harm and the share of an apparent gain that is hindsight, each where an admitted cell gives it a meaning. */
  readonly ratios: readonly string[];
  /** What a reader must know about the mechanism itself. */
  readonly caveat: string | null;
}

/** A cell with the gate's verdict on it; null when the run was not audited. */
export interface JudgedCell {
  readonly verdict: GateVerdict | null;
  readonly effects: CellEffects;
}

/** One finding for each mechanism, in the order of the cells. The cells must not mix stress streams with others. */
export function findings(cells: readonly JudgedCell[]): Finding[] {
  const mechanisms = [...new Set(cells.map(({ effects }) => effects.key.mechanism))];
  return mechanisms.map((mechanism) => finding(cells.filter(({ effects }) => effects.key.mechanism === mechanism)));
}

function finding(cells: readonly JudgedCell[]): Finding {
  const effects = cells.map((cell) => cell.effects);
  const { key, headline } = effects[0]!;
  const contrasts = effects.map((cell) => cell.contrasts[headline]!);
  const of = metricInfo(headline).label;
  // What the contract does not admit is printed, but not interpreted.
  const isAdmitted = cells.every(({ verdict }) => verdict !== null && verdict.decision !== 'historical claim fails');
  return {
    mechanism: key.mechanism,
    usesGold: key.mechanismUsesGold,
    cells: cells.length,
    ...decisionInWords(cells.map(({ verdict }) => verdict)),
    pitEffect: effectInWords(
      `PIT memory effect (PIT − Stateless) on ${of}`,
      contrasts.map(({ pitEffect }) => pitEffect),
      isAdmitted && {
        above: 'past memory alone retrieves more than no memory',
        below: 'past memory alone retrieves less than no memory',
      },
    ),
    hindsightGain: effectInWords(
      `Hindsight gain (Future − PIT) on ${of}`,
      contrasts.map(({ hindsightGain }) => hindsightGain),
      isAdmitted && {
        above: 'full-stream memory overstates what could have been retrieved at the time',
        below: 'full-stream memory understates what could have been retrieved at the time',
      },
    ),
    ratios: isAdmitted
      ? [maskedHarmInWords(effects), hindsightShareInWords(effects)].filter((words) => words !== null)
      : [],
    caveat: key.mechanismUsesGold
      ? 'Oracle: it reads relevance labels in place of clicks. A stress test of the mechanism, not a memory that could be deployed.'
      : null,
  };
}

function decisionInWords(verdicts: readonly (GateVerdict | null)[]): Pick<Finding, 'decision' | 'gate'> {
  const [first] = verdicts;
  if (first === null || first === undefined) {
    return { decision: 'No decision', gate: 'The gate needs an audit before it decides.' };
  }
  const decisions = verdicts.map((verdict) => verdict!.decision);
  const distinct = [...new Set(decisions)];
  if (distinct.length === 1) {
    const sentences = [...new Set(verdicts.map((verdict) => verdict!.words))];
    const gate = sentences.length === 1 ? sentences[0]! : inconclusiveForSeveralReasons;
    return {
      decision: capitalised(first.decision),
      gate:
        verdicts.length === 1
          ? gate
          : `In all ${verdicts.length} cells: ${gate.charAt(0).toLowerCase()}${gate.slice(1)}`,
    };
  }
  const countOf = (decision: GateDecision) => decisions.filter((other) => other === decision).length;
  const counts = distinct.map((decision) => `${decision} in ${countOf(decision)}`);
  return { decision: 'Differs by cell', gate: `Of ${counted(verdicts.length, 'cell')}: ${listed(counts)}.` };
}

/** Inconclusive everywhere, for different reasons: no interval in some cells, one that contains zero in others. */
const inconclusiveForSeveralReasons =
  'The PIT memory effect has no interval, or one that contains zero: utility is inconclusive. Collect more evidence.';

type Side = 'above' | 'below' | 'across' | 'no interval' | 'not defined';

/** Where the interval of an estimate lies; by unrounded numbers. An interval that touches zero contains it. */
function sideOf({ mean, interval }: Estimate): Side {
  if (mean === null) return 'not defined';
  if (interval === null) return 'no interval';
  if (interval.lower > 0) return 'above';
  return interval.upper < 0 ? 'below' : 'across';
}

const sideWords: Readonly<Record<Side, string>> = {
  above: 'interval above zero in',
  below: 'interval below zero in',
  across: 'interval containing zero in',
  'no interval': 'no interval in',
  'not defined': 'not defined in',
};

function effectInWords(
  name: string,
  estimates: readonly Estimate[],
  meaning: { readonly above: string; readonly below: string } | false,
): string {
  const sides = estimates.map(sideOf);
  if (estimates.length === 1) {
    const [estimate, side] = [estimates[0]!, sides[0]!];
    if (side === 'not defined') return `${name}: not defined (${estimate.reason}).`;
    const value = `${name}: ${differenceText(estimate.mean!)} points ${intervalOrReason(estimate)}`;
    if (side === 'no interval' || meaning === false) return `${value}.`;
    return `${value}; ${side === 'across' ? 'the interval contains zero' : meaning[side]}.`;
  }
  const means = estimates.flatMap(({ mean }) => mean ?? []);
  if (means.length === 0) return `${name}: not defined in any of ${counted(estimates.length, 'cell')}.`;
  const [lowest, highest] = [differenceText(Math.min(...means)), differenceText(Math.max(...means))];
  const range = lowest === highest ? `${lowest} points` : `${lowest} to ${highest} points`;
  const distinct = (Object.keys(sideWords) as Side[]).filter((side) => sides.includes(side));
  const counts = distinct.map((side) => {
    const count = sides.filter((other) => other === side).length;
    return `${sideWords[side]} ${count === sides.length ? 'all' : count}`;
  });
  return `${name}: ${range} over ${counted(estimates.length, 'cell')}; ${listed(counts)}.`;
}

function maskedHarmInWords(cells: readonly CellEffects[]): string | null {
  return ratioInWords(
    cells.map(({ maskedHarmFraction }) => maskedHarmFraction),
    (fraction) => {
      const text = ratioText(fraction);
      if (fraction.value! < 0)
        return `Masked-harm fraction ${text}: with hindsight the harm looks greater, not smaller.`;
      if (fraction.value! >= 1) return `Hindsight masks the harm whole: masked-harm fraction ${text}.`;
      return `Hindsight masks ${text} of that harm.`;
    },
    'Masked-harm fraction',
  );
}

function hindsightShareInWords(cells: readonly CellEffects[]): string | null {
  return ratioInWords(
    cells.map(({ hindsightShare }) => hindsightShare),
    (share) => {
      const text = ratioText(share);
      if (share.value! < 0) return `Hindsight share ${text}: with hindsight the gain looks smaller, not greater.`;
      return `Of the gain that Future shows over Stateless, ${text} is hindsight.`;
    },
    'Hindsight share',
  );
}

/** A ratio over the cells that define it; null when none does. */
function ratioInWords(
  ratios: readonly RatioEstimate[],
  single: (ratio: RatioEstimate) => string,
  name: string,
): string | null {
  const values = ratios.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return null;
  if (ratios.length === 1) return single(ratios[0]!);
  const [lowest, highest] = [percentText(Math.min(...values)), percentText(Math.max(...values))];
  const range = lowest === highest ? lowest : `${lowest} to ${highest}`;
  const where = values.length === ratios.length ? '' : `, defined in ${values.length} of ${ratios.length} cells`;
  return `${name}: ${range}${where}.`;
}
