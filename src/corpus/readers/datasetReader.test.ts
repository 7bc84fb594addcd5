import { describe, expect, it } from 'vitest';
import { findFile } from './datasetReader.js';
import { RecordFields } from './recordFields.js';

describe('findFile', () => {
  it('finds a file with or without .gz, and refuses to choose between the two', () => {
    expect(findFile(['a', 'assets.jsonl'], 'assets.jsonl')).toBe('assets.jsonl');
    expect(findFile(['assets.jsonl.gz'], 'assets.jsonl')).toBe('assets.jsonl.gz');
    expect(findFile(['assets'], 'assets.jsonl')).toBeUndefined();
    expect(() => findFile(['assets.jsonl', 'assets.jsonl.gz'], 'assets.jsonl')).toThrow(
      /expected one of assets\.jsonl and assets\.jsonl\.gz: remove the other, or name the files/,
    );
  });
});

describe('an id', () => {
  const idOf = (id: unknown) => new RecordFields({ id }, { file: 'assets.jsonl', line: 3 }).id('id');

  it('is a text, or a whole number, which becomes one', () => {
    expect(['a', 7, 0].map(idOf)).toEqual(['a', '7', '0']);
    for (const value of ['', 1.5, 1e20, true])
      expect(() => idOf(value)).toThrow(/expected an id: a text .* decimal text/);
  });

  it('with half a character is refused for that reason', () => {
    expect(() => idOf('a\ud800')).toThrow(/^assets\.jsonl:3: id: got .*, expected an id without half a character/);
  });
});
