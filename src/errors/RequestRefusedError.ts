import { AsofError } from './AsofError.js';

/** Codes of requests that the server refuses for reasons that are none of the library's. */
export type RefusalCode =
  | 'ASOF_UNAUTHORIZED'
  | 'ASOF_FORBIDDEN_ORIGIN'
  | 'ASOF_NOT_FOUND'
  | 'ASOF_METHOD_NOT_ALLOWED'
  | 'ASOF_MALFORMED_REQUEST'
  | 'ASOF_HEADERS_TOO_LARGE'
  | 'ASOF_BODY_TOO_LARGE'
  | 'ASOF_UNSUPPORTED_MEDIA_TYPE'
  | 'ASOF_TOO_BUSY'
  | 'ASOF_TIMEOUT'
  | 'ASOF_EXPECTATION'
  | 'ASOF_ENDING'
  | 'ASOF_IDEMPOTENCY_CONFLICT';

/** A request over HTTP is refused; `status` is that of the answer. */
export class RequestRefusedError extends AsofError {
  readonly code: RefusalCode;
  readonly status: number;

  constructor(options: { code: RefusalCode; status: number; message: string; cause?: unknown }) {
    super(options.message, { cause: options.cause });
    this.code = options.code;
    this.status = options.status;
  }
}
