import { AsofError } from './AsofError.js';

/** A file of asof's own formats is truncated, of a newer version, or not of this format at all. */
export class ForeignFileError extends AsofError {
  readonly code = 'ASOF_FOREIGN_FILE';
  readonly file: string;

  constructor(options: { file: string; reason: string; cause?: unknown }) {
    super(`${options.file}: ${options.reason}`, { cause: options.cause });
    this.file = options.file;
  }
}
