import { describe, expect, it } from 'vitest';
import { sparkline } from './sparkline.js';

describe('sparkline', () => {
  it('draws the largest as a full bar, the least above zero as the lowest, zero as a space', () => {
    expect(sparkline([0, 1, 4, 8, 80])).toBe(' ▁▁▁█');
    expect(sparkline([1, 2, 3, 4, 5, 6, 7, 8])).toBe('▁▂▃▄▅▆▇█');
    expect(sparkline([3, 3])).toBe('██');
    expect(sparkline([0, 0])).toBe('  ');
    expect(sparkline([])).toBe('');
  });
});
