import { describe, expect, it } from 'vitest';
import { gate } from '../audit/gate.js';
import type { Estimate } from '../evaluation/bootstrap/pairedBootstrap.js';
import type { CellEffects } from '../replay/effects/effects.js';
import { type Finding, findings } from './findings.js';
import { sketchRun } from './testing/sketches.js';

const base = { clusters: 20, observations: 40, undefinedResamples: 0 };
const sides = {
  above: { ...base, mean: 0.05, interval: { lower: 0.02, upper: 0.08 }, reason: null },
  below: { ...base, mean: -0.05, interval: { lower: -0.08, upper: -0.02 }, reason: null },
  across: { ...base, mean: 0.01, interval: { lower: -0.02, upper: 0.04 }, reason: null },
  touching: { ...base, mean: 0.01, interval: { lower: 0, upper: 0.04 }, reason: null },
  zero: { ...base, mean: 0, interval: null, reason: 'all cluster means are equal' },
  lone: { ...base, clusters: 1, mean: -0.3, interval: null, reason: 'fewer than two clusters' },
  undefined: { ...base, clusters: 0, observations: 0, mean: null, interval: null, reason: 'no cluster defines it' },
} satisfies Record<string, Estimate>;
type SideName = keyof typeof sides;

const sketched = sketchRun([{}]).effects.cells[0]!;

/** The sketched cell with other headline effects. */
function cellWith(pitEffect: Estimate, hindsightGain: Estimate, over: Partial<CellEffects> = {}): CellEffects {
  const { headline, contrasts } = sketched;
  return {
    ...sketched,
    contrasts: { ...contrasts, [headline]: { ...contrasts[headline]!, pitEffect, hindsightGain } },
    ...over,
  };
}

function findingOf(cells: readonly CellEffects[], contractHolds: boolean | null = true): Finding {
  return findings(
    cells.map((effects) => ({ effects, verdict: contractHolds === null ? null : gate(effects, contractHolds) })),
  )[0]!;
}

const names = Object.keys(sides) as SideName[];
const pairs = names.flatMap((pit) => names.map((gain) => [pit, gain] as const));

describe.each(pairs)('a PIT effect %s and a hindsight gain %s', (pit, gain) => {
  const finding = findingOf([cellWith(sides[pit], sides[gain])]);

  it('are decided by the PIT effect alone', () => {
    const decision = { above: 'Retain', below: 'Reject or retune' }[pit as string] ?? 'Inconclusive';
    expect(finding.decision).toBe(decision);
    expect(finding.gate).toMatch(/^The (interval of the )?PIT memory effect/);
  });

  it('are told as they are', () => {
    const claims = {
      above: /points \[.*\]; .*(retrieves more|overstates)/,
      below: /points \[.*\]; .*(retrieves less|understates)/,
      across: /points \[.*\]; the interval contains zero\.$/,
      touching: /points \[0\.00, 4\.00\]; the interval contains zero\.$/,
      zero: /: 0\.00 points \(all cluster means are equal\)\.$/,
      lone: /: −30\.00 points \(fewer than two clusters\)\.$/,
      undefined: /: not defined \(no cluster defines it\)\.$/,
    };
    expect(finding.pitEffect).toMatch(claims[pit]);
    expect(finding.hindsightGain).toMatch(claims[gain]);
    expect(JSON.stringify(finding)).not.toMatch(/NaN|undefined|null points|Infinity/);
  });
});

describe('findings', () => {
  it('say what is masked of a harm, in every range of the fraction', () => {
    const masked = (value: number) =>
      findingOf([
        cellWith(sides.below, sides.above, {
          maskedHarmFraction: {
            value,
            interval: { lower: value - 0.1, upper: value + 0.1 },
            reason: null,
            undefinedResamples: 0,
          },
        }),
      ]).ratios;
    expect(masked(0.28)).toEqual(['Hindsight masks 28.0% [18.0%, 38.0%] of that harm.']);
    expect(masked(-0.05)[0]).toMatch(/^Masked-harm fraction −5\.0% .*: with hindsight the harm looks greater/);
    expect(masked(1.12)[0]).toMatch(/^Hindsight masks the harm whole: masked-harm fraction 112\.0%/);
  });

  it('say how much of an apparent gain is hindsight', () => {
    const share = (value: number) =>
      findingOf([
        cellWith(sides.above, sides.above, {
          maskedHarmFraction: { value: null, interval: null, reason: 'none', undefinedResamples: 0 },
          hindsightShare: { value, interval: null, reason: 'fewer than two clusters', undefinedResamples: 0 },
        }),
      ]).ratios;
    expect(share(0.377)).toEqual([
      'Of the gain that Future shows over Stateless, 37.7% (fewer than two clusters) is hindsight.',
    ]);
    expect(share(-0.2)[0]).toMatch(/^Hindsight share −20\.0% .*looks smaller/);
  });

  it('count cells by side, and where nothing is defined', () => {
    const cells = [sides.above, sides.below, sides.across, sides.lone, sides.undefined].map((pit) =>
      cellWith(pit, sides.above),
    );
    const finding = findingOf(cells);
    expect(finding).toMatchObject({ cells: 5, decision: 'Differs by cell' });
    expect(finding.gate).toBe('Of 5 cells: retain in 1, reject or retune in 1 and inconclusive in 3.');
    expect(finding.pitEffect).toBe(
      'PIT memory effect (PIT − Stateless) on Recall@100: −30.00 to +5.00 points over 5 cells; interval above zero in 1, interval below zero in 1, interval containing zero in 1, no interval in 1 and not defined in 1.',
    );
    expect(finding.hindsightGain).toMatch(/: \+5\.00 points over 5 cells; interval above zero in all\.$/);
    expect(findingOf([cells[4]!, cells[4]!]).pitEffect).toMatch(/: not defined in any of 2 cells\.$/);
  });

  it('agree on one decision over all cells, whatever the reasons', () => {
    const harm = findingOf([cellWith(sides.below, sides.above), cellWith(sides.below, sides.below)]);
    expect(harm.decision).toBe('Reject or retune');
    expect(harm.gate).toMatch(/^In all 2 cells: the interval .* lies below zero/);
    const open = findingOf([cellWith(sides.across, sides.above), cellWith(sides.lone, sides.above)]);
    expect(open.decision).toBe('Inconclusive');
    expect(open.gate).toMatch(/^In all 2 cells: the PIT memory effect has no interval, or one that contains zero/);
  });

  it('give ranges of ratios with the cells that define them', () => {
    const ratio = (value: number | null) => ({ value, interval: null, reason: 'r', undefinedResamples: 0 });
    const cells = [0.2, 0.4, null].map((value) =>
      cellWith(sides.below, sides.above, { maskedHarmFraction: ratio(value), hindsightShare: ratio(null) }),
    );
    expect(findingOf(cells).ratios).toEqual(['Masked-harm fraction: 20.0% to 40.0%, defined in 2 of 3 cells.']);
    expect(findingOf(cells.slice(0, 2)).ratios).toEqual(['Masked-harm fraction: 20.0% to 40.0%.']);
  });

  it('print values of a run that fails the contract, or was not audited, and draw nothing from them', () => {
    for (const [holds, decision] of [
      [false, 'Historical claim fails'],
      [null, 'No decision'],
    ] as const) {
      const finding = findingOf([cellWith(sides.above, sides.above)], holds);
      expect(finding.decision).toBe(decision);
      expect(finding.pitEffect).toMatch(/: \+5\.00 points \[2\.00, 8\.00\]\.$/);
      expect(finding.hindsightGain).toMatch(/: \+5\.00 points \[2\.00, 8\.00\]\.$/);
      expect(finding.ratios).toEqual([]);
      expect(JSON.stringify(finding)).not.toMatch(/Retain|overstates|retrieves more/);
    }
  });

  it('mark oracles, mechanism by mechanism', () => {
    const oracle = cellWith(sides.above, sides.above, {
      key: { ...sketched.key, mechanism: 'feedback', mechanismUsesGold: true },
    });
    const [trace, feedback] = findings(
      [cellWith(sides.below, sides.above), oracle].map((effects) => ({ effects, verdict: gate(effects, true) })),
    );
    expect(trace).toMatchObject({ mechanism: 'trace', usesGold: false, caveat: null });
    expect(feedback).toMatchObject({ mechanism: 'feedback', usesGold: true });
    expect(feedback!.caveat).toMatch(/^Oracle: it reads relevance labels/);
  });
});
