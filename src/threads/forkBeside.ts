import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts a module as a process of its own, with a channel for messages that takes what a structured clone takes. What it
 * writes to stderr is this process's.
 *
 * @param importer `import.meta.url` of a module that lies beside it
 * @param name of the module, without its extension. Where sources run as they are, it gets the loader that runs them
 * @param options.isApart whether an interrupt from the keyboard is for this process alone
 */
export function forkBeside(
  importer: string,
  name: string,
  argv: readonly string[] = [],
  options: { readonly isApart?: boolean } = {},
): ChildProcess {
  const fromSource = importer.endsWith('.ts');
  return fork(fileURLToPath(new URL(`./${name}${fromSource ? '.ts' : '.js'}`, importer)), argv, {
    execArgv: fromSource ? ['--import', 'tsx'] : [],
    detached: options.isApart === true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
