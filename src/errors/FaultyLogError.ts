import { AsofError } from './AsofError.js';

/** Logs under audit contradict themselves or are incomplete, so that an audit of them can be certain of nothing. */
export class FaultyLogError extends AsofError {
  readonly code = 'ASOF_FAULTY_LOG';
}
