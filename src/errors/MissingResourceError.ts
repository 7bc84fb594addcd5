import { AsofError } from './AsofError.js';
import { commandLine, say, type Wording, wording } from './wording.js';

/** Something outside the program is not there: a file, a model, a network. The message says what to place where. */
export class MissingResourceError extends AsofError {
  readonly code = 'ASOF_MISSING_RESOURCE';
  readonly resource: string;
  readonly remedy: string;

  constructor(options: { resource: string; remedy: string | Wording; cause?: unknown }) {
    super(wording`${options.resource} is missing: ${options.remedy}`, { cause: options.cause });
    this.resource = options.resource;
    this.remedy = say(options.remedy, commandLine);
  }
}
