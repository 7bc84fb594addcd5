import { type OpenOptions, openWorkspace } from '../store/workspace/openWorkspace.js';
import type { Workspace } from '../store/workspace/Workspace.js';
import type { CliContext } from './context.js';
import { type WorkspaceOptionValues, workspaceFolderOf } from './options/workspaceOptions.js';
import { useAndClose } from './useAndClose.js';

/** Opens the workspace that the options name, and closes it when `use` has ended, however that ends. */
export async function withWorkspace<T>(
  values: WorkspaceOptionValues,
  context: CliContext,
  options: OpenOptions,
  use: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  return useAndClose(await openWorkspace(workspaceFolderOf(values, context), options), use);
}
