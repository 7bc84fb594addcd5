import { describe, expect, it } from 'vitest';
import { parseHttpDate } from './httpDate.js';

describe('parseHttpDate', () => {
  it('reads the form that servers send, and nothing else', () => {
    expect(parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(784111777000);
    for (const text of [
      '',
      '120',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun, 06 Nov 1994 08:49:37',
      'Sun, 06 Foo 1994 08:49:37 GMT',
    ]) {
      expect(parseHttpDate(text)).toBeUndefined();
    }
  });
});
