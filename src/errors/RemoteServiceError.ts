import { AsofError } from './AsofError.js';

/** A service that asof was told to use does not answer, refuses, or answers with something else than was asked for. */
export class RemoteServiceError extends AsofError {
  readonly code = 'ASOF_REMOTE_SERVICE';
  readonly url: string;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;

  constructor(options: { url: string; reason: string; status?: number | undefined; cause?: unknown }) {
    super(`${options.url}: ${options.reason}`, { cause: options.cause });
    this.url = options.url;
    this.status = options.status;
  }
}
