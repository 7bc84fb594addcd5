import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { wording } from '../errors/wording.js';

const embedAgain = { command: 'index --embed' };

/** The error of a mode that needs vectors. @param texts how many lack one, where others have them */
export function noVectors(mode: string, texts?: number): InvalidArgumentError {
  return new InvalidArgumentError({
    argument: 'mode',
    value: mode,
    expected:
      texts === undefined
        ? wording`a workspace with vectors: embed it with ${{ command: 'ingest --embed' }} or ${embedAgain}`
        : wording`vectors for all texts, and ${texts} have none: embed them with ${embedAgain}`,
  });
}
