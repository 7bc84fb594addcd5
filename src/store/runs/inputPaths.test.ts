import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inputFile, keptInputPath, rebasedInputs } from './inputPaths.js';

describe('paths of inputs', () => {
  it('mean the same file from any working folder: relative ones are kept relative to the run', () => {
    const kept = keptInputPath('runs/one', 'data/small/assets.jsonl');
    expect(kept).toBe('../../data/small/assets.jsonl');
    expect(inputFile(path.resolve('runs/one'), kept)).toBe(path.resolve('data/small/assets.jsonl'));
  });

  it('stay as they are where they are absolute or no files', () => {
    expect(keptInputPath('runs/one', '/data/assets.jsonl')).toBe('/data/assets.jsonl');
    expect(keptInputPath('runs/one', 'https://example.org/assets.jsonl')).toBe('https://example.org/assets.jsonl');
  });

  it('follow a run that is made from another one', () => {
    const inputs = { small: { 'assets.jsonl': '../../data/assets.jsonl', b: '/b', c: 'https://example.org/c' } };
    expect(rebasedInputs(inputs, 'runs/one', 'runs/deep/two')).toEqual({
      small: { 'assets.jsonl': '../../../data/assets.jsonl', b: '/b', c: 'https://example.org/c' },
    });
    expect(rebasedInputs(undefined, 'a', 'b')).toBeUndefined();
  });
});
