import { describe, expect, it } from 'vitest';
import { heatMap } from './heatMap.js';

const grid = {
  id: 'map',
  title: 'Latest@10',
  description: 'by alpha and half-life',
  rowLabel: 'alpha',
  rows: ['0.5', '<1>'],
  columnLabel: 'half-life',
  columns: ['7d', '14d'],
};

describe('heatMap', () => {
  it('prints every value, shades from least to greatest, and frames the best', () => {
    const { text } = heatMap({ ...grid, values: [0.1, 0.2, 0.3, 0.3] });
    for (const value of ['0.100', '0.200', '0.300']) expect(text).toContain(`>${value}<`);
    expect([...text.matchAll(/fill-opacity="([\d.]+)"/g)].map(([, shade]) => shade)).toEqual([
      ...['0.040', '0.320', '0.600', '0.600'],
    ]);
    expect(text.match(/class="best"/g)).toHaveLength(2);
    expect(text).toContain('&lt;1&gt;');
  });

  it('says where there is no value, and copes with none and with all the same', () => {
    expect(heatMap({ ...grid, values: [null, 0.5, null, null] }).text.match(/–/g)).toHaveLength(3);
    for (const values of [
      [null, null, null, null],
      [1, 1, 1, 1],
    ]) {
      expect(heatMap({ ...grid, values }).text).not.toMatch(/NaN|Infinity/);
    }
    expect(heatMap({ ...grid, rows: [], columns: [], values: [] }).text).not.toMatch(/NaN|Infinity/);
  });
});
