import { expect, it } from 'vitest';
import { formatTable } from './table.js';
import { visible } from './visible.js';

it('shows controls and overrides of direction as escapes', () => {
  expect(visible('a\u001b]0;x\u0007\nb\u202ec\u009b\u007f')).toBe('a\\u001b]0;x\\u0007\\u000ab\\u202ec\\u009b\\u007f');
  expect(visible('one\ntwo\tthree\r', '\n\t')).toBe('one\ntwo\tthree\\u000d');
  expect(visible('שלום, Zürich 東京 👩‍👩‍👧')).toBe('שלום, Zürich 東京 👩‍👩‍👧');
});

it('keeps a row of a table on its line, whatever a record holds', () => {
  expect(formatTable([['a\nb', '\u001b[2J']])).toBe('a\\u000ab  \\u001b[2J\n');
});
