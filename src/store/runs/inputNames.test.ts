import { describe, expect, it } from 'vitest';
import { distinctNames, nameInputs } from './inputNames.js';

const input = (path: string, sha256: string) => ({ path, sha256, role: 'requests' as const, bytes: 1 });
const named = (...inputs: ReturnType<typeof input>[]) => nameInputs(inputs).map(({ name, path }) => [name, path]);

describe('names of inputs', () => {
  it('are those of the files, and carry a number where two folders hold the same', () => {
    expect(named(input('dev/q.jsonl', 'b'), input('assets.jsonl', 'c'), input('train/q.jsonl', 'a'))).toEqual([
      ['assets.jsonl', 'assets.jsonl'],
      ['q.jsonl', 'train/q.jsonl'],
      ['q.jsonl#2', 'dev/q.jsonl'],
    ]);
  });

  it('do not depend on where the files lie, nor on the order in which they were given', () => {
    const here = named(input('/x/q', 'a'), input('/y/q', 'b')).map(([name]) => name);
    const there = named(input('/b/q', 'b'), input('/z/q', 'a'));
    expect(there).toEqual([
      ['q', '/z/q'],
      ['q#2', '/b/q'],
    ]);
    expect(here).toEqual(['q', 'q#2']);
  });

  it('are distinct even where a file has a numbered name already, or is given twice', () => {
    const names = named(input('a/q', 'a'), input('b/q', 'b'), input('c/q#2', 'c'), input('a/q', 'a')).map(([n]) => n);
    expect(new Set(names).size).toBe(4);
  });

  it('that stand for several inputs, in runs of before, stand for none', () => {
    expect(distinctNames([{ name: 'q' }, { name: 'a' }, { name: 'q' }])).toEqual(new Set(['a']));
  });
});
