import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

/** The error of a mode that needs vectors. @param texts how many lack one, where others have them */
export function noVectors(mode: string, texts?: number): InvalidArgumentError {
  return new InvalidArgumentError({
    argument: 'mode',
    value: mode,
    expected:
      texts === undefined
        ? 'a workspace with vectors: embed it with asof ingest --embed or asof index --embed'
        : `vectors for all texts, and ${texts} have none: embed them with asof index --embed`,
  });
}
