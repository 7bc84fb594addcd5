import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { Analyzer } from './Analyzer.js';
import { english } from './english.js';
import { plain } from './plain.js';
import { whitespace } from './whitespace.js';

/** The analyzers that a configuration can name. */
export const analyzers = { plain, english, whitespace } as const;

export type AnalyzerName = keyof typeof analyzers;

/** @throws InvalidArgumentError when no analyzer has the name */
export function analyzerNamed(name: string): Analyzer {
  if (Object.hasOwn(analyzers, name)) return analyzers[name as AnalyzerName];
  throw new InvalidArgumentError({
    argument: 'analyzer',
    value: name,
    expected: `one of ${Object.keys(analyzers).join(', ')}`,
  });
}
