import { AsofError } from './AsofError.js';

/** The system refused to read or write something: no permission, no space, no such folder. Nothing is wrong with the input. */
export class EnvironmentFaultError extends AsofError {
  readonly code = 'ASOF_ENVIRONMENT';
  override readonly exitCode = 8;
  readonly path: string;

  constructor(options: { path: string; reason: string; cause?: unknown }) {
    super(`${options.path}: ${options.reason}`, { cause: options.cause });
    this.path = options.path;
  }
}
