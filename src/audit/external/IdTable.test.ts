import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IdTable, longestId } from './IdTable.js';

describe('IdTable', () => {
  it('numbers ids as a Map does, and gives them back, whatever their code units', () => {
    const id = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '\ud800', '\udc00', 'a\0', 'ÿ', 'Ā'),
    );
    fc.assert(
      fc.property(fc.array(id, { maxLength: 200 }), fc.array(id), (ids, others) => {
        const table = new IdTable();
        const map = new Map<string, number>();
        for (const text of ids) {
          if (!map.has(text)) map.set(text, map.size);
          expect(table.intern(text)).toBe(map.get(text));
        }
        expect(table.size).toBe(map.size);
        for (const [text, number] of map) expect(table.idOf(number)).toBe(text);
        for (const text of [...ids, ...others]) expect(table.find(text)).toBe(map.get(text) ?? -1);
      }),
    );
  });

  it('stays right while it grows over many chunks of text', { timeout: 60_000 }, () => {
    const table = new IdTable();
    const pad = 'x'.repeat(400);
    for (let i = 0; i < 60_000; i++) table.intern(`${pad}${i}`);
    expect(table.size).toBe(60_000);
    for (let i = 0; i < 60_000; i += 977) {
      expect(table.idOf(i)).toBe(`${pad}${i}`);
      expect(table.find(`${pad}${i}`)).toBe(i);
    }
    expect(table.find(`${pad}60000`)).toBe(-1);
  });

  it('stays right where ids fill a chunk to its last byte', { timeout: 60_000 }, () => {
    const table = new IdTable();
    const text = (i: number) => String(i).padStart(4096, '0');
    const count = 4100;
    for (let i = 0; i < count; i++) {
      table.intern(text(i));
      if (i === 4095) table.intern('');
    }
    const wrong = Array.from({ length: 4096 }, (_, i) => i).filter((i) => table.idOf(i) !== text(i));
    expect(wrong).toEqual([]);
    expect(table.idOf(4096)).toBe('');
    expect(table.idOf(count)).toBe(text(count - 1));
  });

  it('takes ids up to its longest, and refuses a longer one without a trace', () => {
    const table = new IdTable();
    expect(table.intern('€'.repeat(longestId))).toBe(0);
    expect(() => table.intern('a'.repeat(longestId + 1))).toThrow(RangeError);
    expect(table.size).toBe(1);
    expect(table.idOf(0)).toBe('€'.repeat(longestId));
  });
});
