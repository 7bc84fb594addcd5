import { AsofError } from './AsofError.js';

/** A file that would be written is already there, and is never overwritten. */
export class ExistingFileError extends AsofError {
  readonly code = 'ASOF_EXISTING_FILE';
  readonly file: string;

  constructor(options: { file: string; remedy: string; cause?: unknown }) {
    super(`${options.file} exists already and is left as it is: ${options.remedy}`, { cause: options.cause });
    this.file = options.file;
  }
}
