import { Command } from 'commander';
import { buildMapping } from '../corpus/ingest/mapping.js';
import { mappingChoicesOf } from '../corpus/ingest/mappingChoices.js';
import { initWorkspace } from '../store/workspace/initWorkspace.js';
import type { CliContext } from './context.js';
import { addMappingOptions, type MappingOptionValues } from './options/mappingOptions.js';
import { workspaceFolderOf } from './options/workspaceOptions.js';

/** `asof init`: an empty workspace. */
export function initCommand(context: CliContext): Command {
  const command = new Command('init')
    .description('Make an empty workspace')
    .argument('[folder]', 'folder to make; new or empty (default: $ASOF_WORKSPACE, or .asof)');
  return addMappingOptions(command).action(async (workspace: string | undefined, values: MappingOptionValues) => {
    const folder = workspaceFolderOf(workspace === undefined ? {} : { workspace }, context);
    const choices = mappingChoicesOf(values);
    await initWorkspace(folder, { mapping: choices && buildMapping(choices) });
    context.stdout.write(`made workspace ${folder}\n`);
  });
}
