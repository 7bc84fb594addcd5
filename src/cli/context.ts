import { availableParallelism } from 'node:os';
import { isolated } from '../report/words/direction.js';
import type { Instant } from '../time/instant.js';

/** Where a command writes. `process.stdout` is one. */
export interface OutputStream {
  write(text: string): unknown;
  /** Whether a person is looking. */
  readonly isTTY?: boolean | undefined;
  /** Writes what is to be copied or read by a machine, to the character; `write` may add marks that only show. */
  readonly writeExactly?: ((text: string) => unknown) | undefined;
}

/** A terminal on which names that run from right to left do not turn round the columns beside them. */
export function forPeople(terminal: OutputStream): OutputStream {
  return {
    isTTY: terminal.isTTY,
    write: (text) => terminal.write(isolated(text)),
    writeExactly: (text) => terminal.write(text),
  };
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
    stdout: stdout.isTTY ? forPeople(stdout) : stdout,
    stderr,
    environment: env,
    processors: availableParallelism(),
    now: () => Date.now(),
  };
}
