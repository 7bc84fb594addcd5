import { Readable } from 'node:stream';
import type { CliContext } from '../context.js';
import { runCli } from '../runCli.js';

/** What a run of the command line wrote, and how it ended. */
export interface CliRun {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface CliSurroundings {
  stdin?: string | Uint8Array;
  environment?: Record<string, string>;
  isTTY?: boolean;
  /** The instant of the run; the epoch by default. */
  now?: number;
}

/** Runs a command line in this process, away from the process's own streams, environment and clock. */
export async function runForTest(words: readonly string[], surroundings: CliSurroundings = {}): Promise<CliRun> {
  const run: CliRun = { exitCode: 0, stdout: '', stderr: '' };
  const { stdin = '', environment = {}, isTTY = false, now = 0 } = surroundings;
  const streamTo = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write(text: string) {
      run[name] += text;
    },
  });
  const context: CliContext = {
    argv: words,
    stdin: Readable.from([Buffer.from(stdin as string)]),
    stdout: streamTo('stdout'),
    stderr: streamTo('stderr'),
    environment,
    processors: 1,
    now: () => now,
  };
  run.exitCode = await runCli(context);
  return run;
}
