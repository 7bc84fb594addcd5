import { Option } from 'commander';
import { loadMechanismFile } from '../../replay/mechanismModule.js';

/**
 * The modules of a run's mechanisms. They are executed, so their user names them; the run only tells whether they are the
 * right ones, by their hash.
 */
export function mechanismModuleOption(): Option {
  return new Option(
    '--mechanism-module <files...>',
    'modules that the run ranked with; they are executed, and their content must be that which the run names',
  );
}

export async function loadMechanismModules(files: readonly string[] = []): Promise<void> {
  for (const file of files) await loadMechanismFile(file, '--mechanism-module');
}
