import type { Instant } from '../time/instant.js';

/** Where a command writes. `process.stdout` is one. */
export interface OutputStream {
  write(text: string): unknown;
  /** Whether a person is looking. */
  readonly isTTY?: boolean | undefined;
}

/** All that commands know of the process around them, so that tests can stand in for it. */
export interface CliContext {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The one clock: what `now` means to a command. */
  readonly now: () => Instant;
}

/** The context of a real process. */
export function processContext(): CliContext {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, environment: env, now: () => Date.now() };
}
