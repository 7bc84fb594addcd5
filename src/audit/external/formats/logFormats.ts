import { InvalidArgumentError } from '../../../errors/InvalidArgumentError.js';
import { csvLog, tsvLog } from './csvLog.js';
import { jsonLog } from './jsonLog.js';
import { langsmithRuns } from './langsmithRuns.js';
import type { LogFormat } from './logFormat.js';
import { longEval } from './longEval.js';
import { otelSpans } from './otelSpans.js';

/** Every format of logs that can be audited. */
export const logFormats: readonly LogFormat[] = [jsonLog, csvLog, tsvLog, otelSpans, langsmithRuns, longEval];

/** @throws InvalidArgumentError when there is no format of that name */
export function logFormatNamed(name: string): LogFormat {
  const format = logFormats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  throw new InvalidArgumentError({
    argument: 'preset',
    value: name,
    expected: `one of ${logFormats.map((candidate) => candidate.name).join(', ')}`,
  });
}

/** The format that a file name tells: CSV and TSV by their endings, with or without `.gz`; JSON otherwise. */
export function logFormatOfFile(path: string): LogFormat {
  const name = path.toLowerCase().replace(/\.gz$/, '');
  return name.endsWith('.csv') ? csvLog : name.endsWith('.tsv') ? tsvLog : jsonLog;
}
