import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { createRule } from '../trackTopics.js';
import { type BaselineRuleOptions, baselineRule } from './baselineRule.js';
import { centroidCosine, sampledCosine } from './contentDrift.js';
import { deltaRule } from './deltaRule.js';
import type { TopicObservation, TrendLabel, TrendRule } from './trendRule.js';

/** An observation of documents that all say the same, in a direction given by its angle. */
function observe(size: number, { angle = 0, terms = ['same'], span = 7 } = {}): TopicObservation {
  const sum = Float64Array.of(size * Math.cos(angle), size * Math.sin(angle));
  return { size, span, sum, terms };
}

function labelsOf(rule: TrendRule, observations: readonly TopicObservation[]): TrendLabel[] {
  const [first, ...rest] = observations;
  let judgement = rule.begin(first!);
  return [
    judgement.label,
    ...rest.map((observation) => {
      judgement = rule.next(judgement.state, observation);
      return judgement.label;
    }),
  ];
}

const baseline = (options: BaselineRuleOptions = {}) => createRule({ kind: 'baseline', ...options });
const delta = () => createRule({ kind: 'delta' });
/** The paper's rule: every slice stands for itself. */
const plain = { sustained: 1, evidence: 0, settle: 0 };

describe('rule delta', () => {
  it('labels transitions by the thresholds, and calls a state that lasts stable', () => {
    const sizes = [20, 31, 31, 30, 14, 14];
    expect(
      labelsOf(
        delta(),
        sizes.map((size) => observe(size)),
      ),
    ).toEqual(['emergence', 'growth', 'stable', 'stable', 'decay', 'stable']);
  });

  it('grows only above 1.5 times and from 30 documents on, decays only below half', () => {
    for (const [before, now, label] of [
      [20, 30, 'stable'],
      [19, 29, 'stable'],
      [19, 30, 'growth'],
      [20, 10, 'stable'],
      [20, 9, 'decay'],
      [20, 0, 'decay'],
      [0, 30, 'growth'],
      [0, 0, 'stable'],
    ] as const) {
      const labels = labelsOf(delta(), [observe(before), observe(now)]);
      expect({ before, now, label: labels[1] }).toEqual({ before, now, label });
    }
  });

  it('drifts by the centroids or by six terms, and volume overrides drift', () => {
    const far = Math.acos(0.79);
    const near = Math.acos(0.81);
    expect(labelsOf(delta(), [observe(20), observe(20, { angle: far })])[1]).toBe('drift');
    expect(labelsOf(delta(), [observe(20), observe(20, { angle: near })])[1]).toBe('stable');
    expect(labelsOf(delta(), [observe(20), observe(40, { angle: far })])[1]).toBe('growth');
    const terms = 'a b c d e f g'.split(' ');
    // The seventh term is not looked at; three of nine in common are a distance of 2/3.
    expect(labelsOf(delta(), [observe(9, { terms }), observe(9, { terms: [...'abcdef', 'x'] })])[1]).toBe('stable');
    expect(labelsOf(delta(), [observe(9, { terms }), observe(9, { terms: [...'abcxyz'] })])[1]).toBe('drift');
  });

  it('remembers both topics of a merge, and what stays of a split', () => {
    const rule = deltaRule();
    const [a, b] = [rule.begin(observe(20)).state, rule.begin(observe(30)).state];
    expect(rule.next(rule.merge(a, b), observe(50)).ratio).toBe(1);
    expect(rule.next(rule.split(b, 0.5), observe(15)).ratio).toBe(1);
  });
});

describe('rule baseline', () => {
  it('reports a state over the whole span that it lasts, at the thresholds and beyond', () => {
    const sizes = [20, 20, 20, 20, 30, 30, 31, 29, 10, 10, 11, 0];
    const labels = labelsOf(
      baseline(plain),
      sizes.map((size) => observe(size)),
    );
    expect(labels).toEqual([
      'emergence',
      ...Array(3).fill('stable'),
      ...Array(3).fill('growth'),
      'stable',
      'decay',
      'decay',
      'stable',
      'decay',
    ]);
  });

  it('takes the median of the first slices, so that one odd slice among them moves nothing', () => {
    const sizes = [20, 90, 20, 20, 30];
    expect(
      labelsOf(
        baseline(plain),
        sizes.map((size) => observe(size)),
      ).at(-1),
    ).toBe('growth');
  });

  it('puts drift before volume, and tells none where nothing is left to tell by', () => {
    const first = Array.from({ length: 4 }, () => observe(20));
    const far = { angle: Math.acos(0.75) };
    expect(labelsOf(baseline(plain), [...first, observe(60, far)]).at(-1)).toBe('drift');
    expect(labelsOf(baseline(plain), [...first, observe(60, far), observe(0)]).at(-1)).toBe('decay');
    // One document cannot tell: content is taken to be as it was.
    expect(labelsOf(baseline(plain), [...first, observe(20, far), observe(1)]).at(-1)).toBe('drift');
    expect(labelsOf(baseline(plain), [...first, observe(20, far), observe(20)]).at(-1)).toBe('stable');
  });

  it('compares volumes per unit of time, so that a slice half as long is no decay', () => {
    const first = Array.from({ length: 4 }, () => observe(20));
    expect(labelsOf(baseline(plain), [...first, observe(10, { span: 3.5 })]).at(-1)).toBe('stable');
    expect(labelsOf(baseline(plain), [...first, observe(5, { span: 3.5 })]).at(-1)).toBe('decay');
  });

  it('counts two slices in a row that have gone half of the way, and one alone not', () => {
    const sizes = [40, 40, 40, 40, 50, 50, 45, 50];
    expect(
      labelsOf(
        baseline(),
        sizes.map((size) => observe(size)),
      ).slice(4),
    ).toEqual(['stable', 'growth', 'stable', 'stable']);
  });

  it('calls nothing a trend that a count of that size shows by chance', () => {
    // 3 of 2 expected is 1.5 times as many, and 0.7 standard deviations; 30 of 20 is 2.2.
    for (const [usual, now, label] of [
      [2, 3, 'stable'],
      [20, 30, 'growth'],
      [2, 1, 'stable'],
      [20, 10, 'decay'],
      [0, 1, 'stable'],
      [0, 2, 'growth'],
    ] as const) {
      const observations = [...Array(4).fill(usual), now].map((size) => observe(size));
      expect({ usual, now, label: labelsOf(baseline(), observations).at(-1) }).toEqual({ usual, now, label });
    }
  });

  it('takes a state that has lasted a quarter for the new baseline', () => {
    const sizes = [...Array(4).fill(20), ...Array(13).fill(60), 60, 20];
    const labels = labelsOf(
      baseline(),
      sizes.map((size) => observe(size)),
    );
    expect(labels.slice(4, 17)).toEqual(Array(13).fill('growth'));
    expect(labels.slice(17)).toEqual(['stable', 'decay']);
  });

  it('expects the documents of both after a merge, and those that stay after a split', () => {
    const rule = baselineRule();
    const led = (size: number) => {
      let state = rule.begin(observe(size)).state;
      for (let i = 0; i < 3; i++) state = rule.next(state, observe(size)).state;
      return state;
    };
    expect(rule.next(rule.merge(led(20), led(30)), observe(50))).toMatchObject({ label: 'stable', ratio: 1 });
    expect(rule.next(rule.merge(led(0), led(30)), observe(30))).toMatchObject({ label: 'stable', ratio: 1 });
    expect(rule.next(rule.split(led(40), 0.25), observe(10))).toMatchObject({ label: 'stable', ratio: 1 });
  });

  it('refuses thresholds that cannot be', () => {
    for (const options of [
      { window: 0 },
      { window: 1.5 },
      { growth: 1 },
      { decay: 1 },
      { decay: -0.1 },
      { drift: 0 },
      { sustained: 0 },
      { evidence: -1 },
      { settle: 2 },
      { growth: Number.NaN },
    ]) {
      expect(() => baselineRule(options)).toThrow(InvalidArgumentError);
    }
  });

  it('depends on the past alone: what comes later changes no label', () => {
    const sizes = fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(sizes, fc.nat(), fc.constantFrom('baseline', 'delta'), (all, cut, kind) => {
        const observations = all.map((size, i) => observe(size, { angle: i / 9 }));
        const until = 1 + (cut % all.length);
        const labels = labelsOf(createRule({ kind } as { kind: 'baseline' }), observations);
        expect(labelsOf(createRule({ kind } as { kind: 'baseline' }), observations.slice(0, until))).toEqual(
          labels.slice(0, until),
        );
      }),
    );
  });
});

describe('sampledCosine', () => {
  it('is the cosine of the centroids where all documents of a sample are equal', () => {
    const [a, b] = [observe(5).sum, observe(7, { angle: 0.4 }).sum];
    expect(sampledCosine(a, 5, b, 7)).toBeCloseTo(Math.cos(0.4), 12);
    expect(centroidCosine(a, b)).toBeCloseTo(Math.cos(0.4), 12);
  });

  it('takes out what a small sample adds: two samples of eight from one spread topic seem alike', () => {
    let state = 1;
    const random = () => {
      state = (state * 48271) % 2147483647;
      return state / 2147483647;
    };
    const sample = (size: number) => {
      const sum = new Float64Array(16);
      for (let n = 0; n < size; n++) {
        const vector = Float64Array.from(sum, (_, i) => (i === 0 ? 1 : (random() - 0.5) * 1.1));
        const length = Math.hypot(...vector);
        for (const [i, value] of vector.entries()) sum[i]! += value / length;
      }
      return sum;
    };
    const rounds = 500;
    let corrected = 0;
    let raw = 0;
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [sample(8), sample(8)];
      corrected += sampledCosine(a, 8, b, 8) / rounds;
      raw += centroidCosine(a, b) / rounds;
    }
    expect(raw).toBeLessThan(0.9);
    expect(corrected).toBeGreaterThan(0.96);
  });

  it('cannot be told from fewer than two documents, or documents with nothing in common', () => {
    expect(sampledCosine(observe(1).sum, 1, observe(5).sum, 5)).toBeNaN();
    expect(sampledCosine(Float64Array.of(1, 1), 2, observe(5).sum, 5)).toBeNaN();
    expect(sampledCosine(new Float64Array(2), 0, observe(5).sum, 5)).toBeNaN();
  });
});
