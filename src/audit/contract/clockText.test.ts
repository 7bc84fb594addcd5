import { describe, expect, it } from 'vitest';
import { clockText } from './clockText.js';

describe('clockText', () => {
  it('writes recorded times as instants, positions as they are, and what is no time as it was found', () => {
    expect(clockText('recorded', 1494446304000)).toBe('2017-05-10T19:58:24Z');
    expect(clockText('position', 17)).toBe('17');
    expect(clockText('recorded', Number.NaN)).toBe('NaN');
    expect(clockText('recorded', undefined)).toBe('none');
  });
});
