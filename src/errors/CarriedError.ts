import { AsofError, type ExitCode } from './AsofError.js';
import type { InputLocation } from './inputLocation.js';
import type { Wording } from './wording.js';

/** An error as plain data, which a message between threads or processes can carry. */
export type ErrorData =
  | {
      readonly code: string;
      readonly exitCode: ExitCode;
      readonly wording: Wording;
      readonly location: InputLocation | undefined;
    }
  | { readonly message: string; readonly stack: string | undefined };

/** An error that asof raised in another thread or process, with its code, wording and place there. */
export class CarriedError extends AsofError {
  readonly code: string;
  override readonly exitCode: ExitCode;
  readonly location: InputLocation | undefined;

  constructor({ code, exitCode, wording, location }: Extract<ErrorData, { code: string }>) {
    super(wording);
    this.code = code;
    this.exitCode = exitCode;
    this.location = location;
  }
}

export function dataOfError(error: unknown): ErrorData {
  if (AsofError.isInstance(error)) {
    const { code, exitCode, wording } = error;
    return { code, exitCode, wording, location: locationOf(error) };
  }
  if (error instanceof Error) return { message: error.message, stack: error.stack };
  return { message: String(error), stack: undefined };
}

export function errorOfData(data: ErrorData): Error {
  if ('code' in data) return new CarriedError(data);
  return Object.assign(new Error(data.message), data.stack !== undefined && { stack: data.stack });
}

/** Place in an input that an error names, if it names one. */
export function locationOf(error: AsofError): InputLocation | undefined {
  return (error as { location?: InputLocation }).location;
}
