import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { glob } from 'tinyglobby';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { compareCodeUnits } from '../corpus.js';

/** A file to read. */
export interface SourceFile {
  /** As messages name it; `-` is standard input. */
  readonly path: string;
  /** Its size, as it lies on disk; undefined for standard input. */
  readonly bytes: number | undefined;
}

/**
 * The files that paths and glob patterns (`*`, `**`, `?`, `[a-z]`, `{a,b}`) name: each once, in code-unit order of their
 * paths, so that the order of the words on a command line decides nothing. A path that is there as it stands is never
 * a pattern.
 *
 * @throws MissingResourceError for a path that does not exist, or a pattern that no file matches
 * @throws InvalidArgumentError for a folder
 */
export async function expandFiles(patterns: readonly string[]): Promise<SourceFile[]> {
  const found = new Map<string, SourceFile>();
  for (const pattern of patterns) {
    if (pattern === '-') {
      found.set('-', { path: '-', bytes: undefined });
      continue;
    }
    for (const path of await matches(pattern)) found.set(path, { path, bytes: (await stat(path)).size });
  }
  return [...found.values()].sort((a, b) => compareCodeUnits(a.path, b.path));
}

async function matches(pattern: string): Promise<string[]> {
  const status = await stat(pattern).catch(() => undefined);
  if (status?.isDirectory()) {
    const expected = `a file, or a pattern such as ${pattern.replace(/\/$/, '')}/*.jsonl, not a folder`;
    throw new InvalidArgumentError({ argument: 'file', value: pattern, expected });
  }
  if (status !== undefined) return [pattern];
  const isPattern = /[*?[{]/.test(pattern);
  const files = isPattern ? await glob(pattern, { expandDirectories: false, absolute: isAbsolute(pattern) }) : [];
  if (files.length > 0) return files;
  const remedy = isPattern ? 'no file matches the pattern' : 'no such file; check the path';
  throw new MissingResourceError({ resource: pattern, remedy });
}
