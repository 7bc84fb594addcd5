import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { JsonPeer } from './JsonPeer.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A Python program that answers one JSON line with one JSON line, on one thread or as many as it is given. */
export class PythonPeer extends JsonPeer {
  constructor(python: string, script: string, threads = 1) {
    const names = ['OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'NUMBA_NUM_THREADS'];
    const limits = Object.fromEntries(names.map((name) => [name, String(threads)]));
    super(python, [`${root}bench/peers/${script}`], limits);
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
