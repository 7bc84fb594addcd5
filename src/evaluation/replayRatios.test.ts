import { describe, expect, it } from 'vitest';
import { RandomSource } from '../random/RandomSource.js';
import { pairedBootstrap } from './bootstrap/pairedBootstrap.js';
import { replayRatios } from './replayRatios.js';

const nan = Number.NaN;

interface Cell {
  clusterOf: Uint32Array;
  stateless: Float64Array;
  pit: Float64Array;
  future: Float64Array;
}

/** Scores of 60 anchors of 40 requests: P lies `pitEffect` from S, F lies `gain` above P, each with noise. */
function cellOf(pitEffect: number, gain: number): Cell {
  const random = new RandomSource(11, 'test/replay-ratios');
  const wobble = () => 0.1 * (random.unit() - 0.5);
  const clusterOf = Uint32Array.from({ length: 60 }, (_, anchor) => anchor % 40);
  const stateless = Float64Array.from(clusterOf, () => 0.5 + wobble());
  const pit = stateless.map((score) => score + pitEffect + wobble());
  const future = pit.map((score) => score + gain + wobble());
  return { clusterOf, stateless, pit, future };
}

const difference = (a: Float64Array, b: Float64Array) => a.map((value, at) => value - b[at]!);

function ratiosOf({ clusterOf, stateless, pit, future }: Cell) {
  const columns = [difference(future, pit), difference(pit, stateless), difference(future, stateless)];
  const bootstrap = pairedBootstrap({ clusterOf, clusters: 40, columns }, { seed: 2 });
  const ratios = replayRatios(bootstrap, { hindsightGain: 0, pitEffect: 1, futureEffect: 2 });
  const [gain, pitEffect, futureEffect] = bootstrap.estimates;
  return { ...ratios, gain: gain!, pitEffect: pitEffect!, futureEffect: futureEffect! };
}

describe('replay ratios', () => {
  it('masked-harm fraction is HG over |P - S| from cluster means where PIT harms; the shares of a gain are undefined', () => {
    const { maskedHarmFraction, hindsightShare, pitUtilityRetention, gain, pitEffect } = ratiosOf(cellOf(-0.1, 0.04));
    const expected = gain.mean! / Math.abs(pitEffect.mean!);
    expect(maskedHarmFraction).toMatchObject({ value: expected, reason: null, undefinedResamples: 0 });
    expect(maskedHarmFraction.interval!.lower).toBeLessThan(expected);
    expect(maskedHarmFraction.interval!.upper).toBeGreaterThan(expected);
    for (const ratio of [hindsightShare, pitUtilityRetention]) {
      expect(ratio).toEqual({
        value: null,
        interval: null,
        reason: 'PIT and Future memory do not both help: P - S <= 0 or F - S <= 0',
        undefinedResamples: 5000,
      });
    }
  });

  it('share and retention add to one where both memories help, interval against interval; MHF is undefined', () => {
    const { maskedHarmFraction, hindsightShare, pitUtilityRetention } = ratiosOf(cellOf(0.1, 0.05));
    expect(hindsightShare.value! + pitUtilityRetention.value!).toBeCloseTo(1, 12);
    expect(hindsightShare.interval!.lower + pitUtilityRetention.interval!.upper).toBeCloseTo(1, 12);
    expect(hindsightShare.interval!.upper + pitUtilityRetention.interval!.lower).toBeCloseTo(1, 12);
    expect(maskedHarmFraction).toEqual({
      value: null,
      interval: null,
      reason: 'PIT memory does not harm: P - S >= 0',
      undefinedResamples: 5000,
    });
  });

  it('harm that Future turns into help has an MHF above one, and is no share of a gain', () => {
    const { maskedHarmFraction, hindsightShare, futureEffect } = ratiosOf(cellOf(-0.05, 0.2));
    expect(futureEffect.mean).toBeGreaterThan(0);
    expect(maskedHarmFraction.value).toBeGreaterThan(1);
    expect(hindsightShare.value).toBeNull();
  });

  it('near the edge, the resamples whose sign leaves the ratio undefined are counted and left out', () => {
    const { maskedHarmFraction, pitEffect } = ratiosOf(cellOf(-0.005, 0.05));
    expect(pitEffect.mean).toBeLessThan(0);
    expect(pitEffect.interval!.upper).toBeGreaterThan(0);
    expect(maskedHarmFraction.undefinedResamples).toBeGreaterThan(0);
    expect(maskedHarmFraction.undefinedResamples).toBeLessThan(5000);
    expect(maskedHarmFraction.interval!.lower).toBeGreaterThan(0);
  });

  it('one cluster has a ratio and no interval, with the reason (case 29)', () => {
    const { maskedHarmFraction } = ratiosOf({ ...cellOf(-0.1, 0.04), clusterOf: new Uint32Array(60) });
    expect(maskedHarmFraction).toMatchObject({ interval: null, reason: 'fewer than two clusters' });
    expect(maskedHarmFraction.value).toBeGreaterThan(0);
  });

  it('a constant ratio has no interval, though its parts vary (case 29)', () => {
    const stateless = Float64Array.of(0.5, 0.75, 1);
    const { maskedHarmFraction, pitEffect } = ratiosOf({
      clusterOf: Uint32Array.of(0, 1, 2),
      stateless,
      pit: new Float64Array(3),
      future: stateless.map((score) => score / 4),
    });
    expect(pitEffect.interval).not.toBeNull();
    expect(maskedHarmFraction).toMatchObject({ value: 0.25, interval: null, reason: 'all resampled ratios are equal' });
  });

  it('nothing defined has no ratio, and no NaN (cases 27 and 29)', () => {
    const nothing = Float64Array.of(nan, nan);
    const ratios = ratiosOf({ clusterOf: Uint32Array.of(0, 1), stateless: nothing, pit: nothing, future: nothing });
    expect(ratios.maskedHarmFraction).toMatchObject({ value: null, interval: null, reason: 'no cluster defines it' });
    expect(JSON.stringify(ratios)).not.toContain('NaN');
  });

  it('refuses effects that rest on different anchors', () => {
    const cell = cellOf(-0.1, 0.04);
    expect(() => ratiosOf({ ...cell, stateless: cell.stateless.with(3, nan) })).toThrow('columns[1]');
  });
});
