import { AsofError } from './AsofError.js';

/** A NaN or an infinity reached a ranking. It names the place that made it; it is a fault of the scorer, not of the input. */
export class NonFiniteScoreError extends AsofError {
  readonly code = 'ASOF_NON_FINITE_SCORE';
  override readonly exitCode = 1;

  constructor(options: { source: string; item: string; score: number }) {
    super(`${options.source}: score of ${options.item} is ${options.score}, expected a finite number`);
  }
}
