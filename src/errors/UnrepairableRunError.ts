import { AsofError } from './AsofError.js';

/** A rejected run whose shared log is not what its manifest commits to: views rebuilt from it would prove nothing. */
export class UnrepairableRunError extends AsofError {
  readonly code = 'ASOF_UNREPAIRABLE_RUN';
  override readonly exitCode = 3;

  constructor({ run, reason }: { run: string; reason: string }) {
    super(`${run} cannot be repaired, since what views are built from is altered: ${reason}; run the replay again`);
  }
}
