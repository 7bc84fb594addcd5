import { describe, expect, it } from 'vitest';
import { formatTable } from './table.js';

describe('formatTable', () => {
  it('lines up columns, numbers to the right, without trailing spaces', () => {
    const table = formatTable(
      [
        ['a', '10', 'x'],
        ['longer', '5', ''],
      ],
      { header: ['name', 'count', 'note'], alignments: ['left', 'right'] },
    );
    expect(table).toBe('name    count  note\na          10  x\nlonger      5\n');
  });

  it('styles the header after it is lined up', () => {
    expect(formatTable([['aa']], { header: ['b'], styleHeader: (text) => `<${text}>` })).toBe('<b>\naa\n');
  });

  it('makes nothing of nothing, and copes with rows of unequal length', () => {
    expect(formatTable([])).toBe('');
    expect(formatTable([['a'], ['bb', 'c']])).toBe('a\nbb  c\n');
  });

  it('counts characters, not code units', () => {
    expect(
      formatTable([
        ['😀', 'x'],
        ['ab', 'y'],
      ]),
    ).toBe('😀   x\nab  y\n');
  });
});
