import { AsofError } from './AsofError.js';

/** A run broke the replay contract (PIT Discovery, section 4.5): its numbers must not be used. */
export class ContractViolationError extends AsofError {
  readonly code = 'ASOF_CONTRACT_VIOLATION';
  override readonly exitCode = 3;
}
