import { availableParallelism } from 'node:os';
import type { Instant } from '../time/instant.js';

/** Where a command writes. `process.stdout` is one. */
export interface OutputStream {
  write(text: string): unknown;
  /** Whether a person is looking. */
  readonly isTTY?: boolean | undefined;
}

/** All that commands know of the process around them, so that tests can stand in for it. */
export interface CliContext {
  /** The words after the program's name. */
  readonly argv: readonly string[];
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Processors that a command may use. */
  readonly processors: number;
  /** The one clock: what `now` means to a command. */
  readonly now: () => Instant;
}

/** The context of a real process. */
export function processContext(): CliContext {
  const { argv, stdin, stdout, stderr, env } = process;
  return {
    argv: argv.slice(2),
    stdin,
    stdout,
    stderr,
    environment: env,
    processors: availableParallelism(),
    now: () => Date.now(),
  };
}
