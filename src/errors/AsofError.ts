import { commandLine, say, type Wording } from './wording.js';

const marker = Symbol.for('asof.error');

/**
 * How the command line answers an error: 1 an unexpected fault, 2 unusable input or arguments, 3 a contract violated;
 * of an attestation, 4 a bad signature, 5 another key's signature, 6 an altered artefact, 7 a missing artefact; 8 the
 * system refused to read or write something.
 */
export type ExitCode = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/**
 * Base class of every error that asof raises on purpose.
 *
 * `code` is stable across releases and safe to switch on; the message is for people and names the place, the value
 * and what was expected. `isInstance` works across copies of the package, where `instanceof` does not.
 */
export abstract class AsofError extends Error {
  /** Stable machine-readable identifier, for example `ASOF_INVALID_INPUT`. */
  abstract readonly code: string;
  /** Exit code of the command line when this error ends a command. */
  readonly exitCode: ExitCode = 2;
  /** The message before it was put in the words of the command line: other surfaces put it in theirs (`say`). */
  readonly wording: Wording;
  readonly [marker] = true;

  constructor(message: string | Wording, options?: { cause?: unknown }) {
    super(say(message, commandLine), options);
    this.name = new.target.name;
    this.wording = typeof message === 'string' ? [message] : message;
  }

  /** Whether something thrown is an error of asof, of this copy of the package or another. */
  static isInstance(error: unknown): error is AsofError {
    return typeof error === 'object' && error !== null && (error as { [marker]?: boolean })[marker] === true;
  }
}
