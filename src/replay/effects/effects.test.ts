import { describe, expect, it } from 'vitest';
import { CellCollector } from '../rows/cellRows.js';
import { cellEffects } from './effects.js';
import { effectsCsv } from './effectsCsv.js';
import { runEffects } from './runEffects.js';
import { summarise } from './summary.js';
import { type AnchorValues, effectTable } from './testing/effectRows.js';

const settings = { resamples: 500, seed: 1, confidence: 0.95 };

/** An anchor with recalls under Stateless, PIT, Future, Naive and Future-10. */
function anchor(
  request: number,
  recalls: readonly [number, number, number, number?],
  more: Partial<AnchorValues> = {},
): AnchorValues {
  const [stateless, pit, future, naive = future] = recalls;
  const recall = { Stateless: stateless, PIT: pit, Future: future, Naive: naive, 'Future-10': (pit + future) / 2 };
  return { request, metrics: { recall_10: recall }, ...more };
}

function effectsOf(anchors: readonly AnchorValues[]) {
  const collector = new CellCollector('rows.parquet');
  collector.add(effectTable(anchors));
  return cellEffects(collector.cells()[0]!, settings);
}

describe('cellEffects', () => {
  it('averages within a request first, then over requests (section 5.4)', () => {
    // Request 0 has three anchors, request 1 one: means over requests weigh them alike.
    const effects = effectsOf([
      anchor(0, [0.5, 0.4, 0.5]),
      anchor(0, [0.5, 0.2, 0.5]),
      anchor(0, [0.5, 0.3, 0.5]),
      anchor(1, [1, 0.5, 0.6]),
    ]);
    expect(effects.requests).toBe(2);
    expect(effects.anchors).toBe(4);
    expect(effects.contrasts.recall_10!.hindsightGain.mean).toBeCloseTo((0.2 + 0.1) / 2, 12);
    expect(effects.contrasts.recall_10!.pitEffect.mean).toBeCloseTo((-0.2 - 0.5) / 2, 12);
    expect(effects.maskedHarmFraction.value).toBeCloseTo(0.15 / 0.35, 12);
    expect(effects.means.PIT!.recall_10).toBeCloseTo((0.3 + 0.5) / 2, 12);
    expect(effects.dose).toHaveLength(1);
    expect(effects.dose[0]!.gain.mean).toBeCloseTo(0.075, 12);
  });

  it('has no interval for one request only, and says why (case 29)', () => {
    const { hindsightGain } = effectsOf([anchor(3, [0.5, 0.4, 0.5]), anchor(3, [0.5, 0.1, 0.6])]).contrasts.recall_10!;
    expect(hindsightGain.interval).toBeNull();
    expect(hindsightGain.reason).toBe('fewer than two clusters');
  });

  it('leaves a metric out where it is not defined, and says over how many it is (case 27)', () => {
    const some = (request: number, value: number): AnchorValues => ({
      request,
      metrics: {
        recall_10: { Stateless: 0, PIT: 0, Future: 0, Naive: 0 },
        recall_10_table: { Stateless: value, PIT: value, Future: value + 0.5, Naive: value + 0.5 },
      },
    });
    const effects = effectsOf([some(0, Number.NaN), some(1, 0.25), some(2, 0.5)]);
    expect(effects.contrasts.recall_10_table!.hindsightGain).toMatchObject({ mean: 0.5, clusters: 2, observations: 2 });
    expect(effects.means.PIT!.recall_10_table).toBe(0.375);
    expect(effects.headline).toBe('recall_10');
  });

  it('counts the requests behind each mean, which differ where a metric depends on the ranking', () => {
    const reached = (request: number, stateless: number, pit: number): AnchorValues => ({
      request,
      metrics: {
        recall_10: { Stateless: 0, PIT: 0, Future: 0, Naive: 0 },
        rank_80: { Stateless: stateless, PIT: pit, Future: 9, Naive: 9 },
      },
    });
    const never = Number.NaN;
    const effects = effectsOf([
      reached(0, 4, never),
      reached(0, 6, never),
      reached(1, 8, 12),
      reached(2, never, never),
    ]);
    const counts = Object.entries(effects.definedRequests).map(([name, defined]) => [name, defined.rank_80]);
    expect(Object.fromEntries(counts)).toMatchObject({ Stateless: 2, PIT: 1, Future: 3, Naive: 3 });
    expect(effects.definedRequests.PIT!.recall_10).toBe(3);
    // Means over different requests differ by more than the effect: 12 - (5 + 8) / 2 against 12 - 8.
    expect([effects.means.PIT!.rank_80, effects.means.Stateless!.rank_80]).toEqual([12, 6.5]);
    expect(effects.contrasts.rank_80!.pitEffect).toMatchObject({ mean: 4, clusters: 1 });
  });

  it('reports quartiles apart, with slot fill, future share and nearest similarity', () => {
    const effects = effectsOf([
      anchor(0, [1, 1, 1], { quartile: 1, tvr: { Future: 0.75 }, nearest: { PIT: 0.8, Future: 0.9 } }),
      anchor(1, [1, 0.5, 1], { quartile: 4, tvr: { Future: 0.25 } }),
    ]);
    expect(effects.quartiles.map(({ quartile }) => quartile)).toEqual([1, 4]);
    expect(effects.quartiles[0]).toMatchObject({
      anchors: 1,
      futureSlotShare: 0.75,
      slotFill: { pit: 0.5, future: 0.5 },
      nearestSimilarity: { pit: 0.8, future: 0.9 },
    });
    expect(effects.quartiles[1]!.hindsightGain.mean).toBe(0.5);
    expect(effects.validity.futureSlotShare).toBe(0.5);
  });

  it('drops anchors at which PIT or Future selected a near duplicate (section 6.5)', () => {
    const effects = effectsOf([
      anchor(0, [1, 0, 1], { nearest: { PIT: 0.99 } }),
      anchor(1, [1, 0, 1], { nearest: { Future: 1 } }),
      anchor(2, [1, 0.5, 1], { nearest: { PIT: 0.98, Future: 0.98 } }),
    ]);
    expect(effects.withoutNearDuplicates.anchors).toBe(1);
    expect(effects.withoutNearDuplicates.hindsightGain.mean).toBe(0.5);
  });

  it('reports the largest PIT TVR and the largest difference of Naive from Future', () => {
    const effects = effectsOf([
      anchor(0, [1, 1, 0.5, 0.75], { tvr: { PIT: 0.25 } }),
      anchor(1, [1, 1, 0.5, Number.NaN]),
    ]);
    expect(effects.validity).toMatchObject({ largestPitTvr: 0.25, naiveDifference: 0.25, naiveMismatches: 1 });
  });
});

describe('CellCollector', () => {
  it('pools the seeds of a cell and keeps other cells apart', () => {
    const collector = new CellCollector('rows.parquet');
    collector.add(effectTable([anchor(0, [1, 1, 1])], { seed: 1 }));
    collector.add(effectTable([anchor(1, [1, 1, 1])], { seed: 2 }));
    collector.add(effectTable([anchor(0, [1, 1, 1])], { retriever: 'hybrid' }));
    expect(collector.cells().map(({ seeds, anchors }) => [seeds, anchors])).toEqual([
      [[1, 2], 2],
      [[1], 1],
    ]);
  });

  it('refuses rows that are not anchors with the same conditions each', () => {
    const table = effectTable([anchor(0, [1, 1, 1]), anchor(1, [1, 1, 1])]);
    const condition = [...table.condition];
    [condition[6], condition[7]] = [condition[7]!, condition[6]!];
    expect(() => new CellCollector('rows.parquet').add({ ...table, condition })).toThrow('rows.parquet row 7');
    expect(() => new CellCollector('rows.parquet').add({ ...table, rows: 9 })).toThrow('rows of the last anchor');
  });
});

describe('summarise', () => {
  const run = (stress: boolean) => {
    const collector = new CellCollector('rows.parquet');
    collector.add(effectTable([anchor(0, [1, 0.5, 0.75]), anchor(1, [1, 0.4, 0.75])]));
    if (stress) {
      const anchors = [anchor(0, [1, 0.5, 1]), anchor(1, [1, 0.4, 1])];
      collector.add(effectTable(anchors, { stream: 'gold-overlap', stream_kind: 'gold-overlap', usesGold: true }));
    }
    return runEffects(collector.cells(), settings);
  };

  it('refuses to put a stream that looked at labels with others', () => {
    const { cells, summary, stressSummary } = run(true);
    expect(() => summarise(cells)).toThrow('tatqa, stream gold-overlap');
    expect(summary[0]!.hindsightGain!.highest).toBeCloseTo(0.3, 12);
    expect(stressSummary[0]!.hindsightGain!.highest).toBeCloseTo(0.55, 12);
  });

  it('gives ranges over cells and counts intervals on one side of zero', () => {
    expect(run(false).summary).toMatchObject([
      { mechanism: 'trace', hindsightGain: { cells: 1, intervalsAboveZero: 1 }, pitEffect: { intervalsBelowZero: 1 } },
    ]);
    expect(summarise([])).toEqual([]);
  });

  it('is told in CSV, an estimate a line, empty where there is none', () => {
    const lines = effectsCsv(run(false)).trimEnd().split('\n');
    expect(lines[0]).toBe(
      'domain,stream,retriever,mechanism,subset,metric,effect,estimate,lower,upper,reason,clusters,observations',
    );
    expect(lines.find((line) => line.includes('hindsight share'))).toContain(
      'tatqa,random,bm25,trace,all,recall_10,hindsight share,,,,',
    );
    for (const line of lines) expect(line).not.toContain('NaN');
  });
});
