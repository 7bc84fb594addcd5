import { describe, expect, it } from 'vitest';
import { scoreLabels } from './labelScores.js';

describe('scoreLabels', () => {
  it('gives F1 of each label and their mean, as worked out by hand', () => {
    const pairs = [
      ['growth', 'growth'],
      ['growth', 'stable'],
      ['stable', 'growth'],
      ['decay', 'decay'],
      ['stable', 'stable'],
      ['drift', 'growth'],
    ] as const;
    const scores = scoreLabels(pairs, ['growth', 'decay', 'drift']);
    expect(scores.labels).toEqual([
      { label: 'growth', actual: 2, predicted: 3, agreed: 1, f1: 2 / 5 },
      { label: 'decay', actual: 1, predicted: 1, agreed: 1, f1: 1 },
      { label: 'drift', actual: 1, predicted: 0, agreed: 0, f1: 0 },
    ]);
    expect(scores.macroF1).toBeCloseTo((0.4 + 1 + 0) / 3, 12);
    expect(scores).toMatchObject({ items: 6, accuracy: 0.5 });
  });

  it('leaves out a label that nothing has and nothing was given, and defines nothing from nothing', () => {
    expect(scoreLabels([['growth', 'growth']], ['growth', 'decay']).macroF1).toBe(1);
    expect(scoreLabels([], ['growth'])).toEqual({
      items: 0,
      accuracy: null,
      labels: [{ label: 'growth', actual: 0, predicted: 0, agreed: 0, f1: null }],
      macroF1: null,
    });
  });
});
