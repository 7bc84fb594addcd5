import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A Python program that answers one JSON line with one JSON line, on one thread or as many as it is given. */
export class PythonPeer {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;

  constructor(python: string, script: string, threads = 1) {
    const count = String(threads);
    const limits = { OMP_NUM_THREADS: count, OPENBLAS_NUM_THREADS: count, MKL_NUM_THREADS: count };
    this.#process = spawn(python, [`${root}bench/peers/${script}`], { env: { ...process.env, ...limits } });
    this.#process.stderr.pipe(process.stderr);
    const lines: Interface = createInterface({ input: this.#process.stdout });
    this.#answers = lines[Symbol.asyncIterator]();
  }

  async ask<Answer>(question: unknown): Promise<Answer> {
    this.#process.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('the Python peer ended before it answered; its message is above');
    return JSON.parse(value) as Answer;
  }

  close(): void {
    this.#process.stdin.end();
  }
}

/**
 * Python of a virtual environment in the cache folder with the pinned packages of a requirements file, made on the first
 * run; null, with the reason on standard error, where that cannot be done.
 *
 * @param requirements file name in bench/peers
 */
export function preparePython(requirements: string): string | null {
  const environment = `${root}.cache/peers/${requirements.replace(/\.txt$/, '')}`;
  const python = `${environment}/bin/python`;
  const marker = `${environment}/installed`;
  if (existsSync(marker)) return python;
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', environment]],
    [python, ['-m', 'pip', 'install', '--quiet', '--requirement', `${root}bench/peers/${requirements}`]],
    [python, ['-c', 'import sys; open(sys.argv[1], "w").close()', marker]],
  ];
  for (const [command, parameters] of steps) {
    const { status, error, stderr } = spawnSync(command, parameters, { encoding: 'utf8' });
    if (status === 0) continue;
    console.error(`Python peer left out: ${command} ${parameters.join(' ')}: ${error?.message ?? stderr.trim()}`);
    return null;
  }
  return python;
}
