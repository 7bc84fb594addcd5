import { type OpenSearchOptions, openWorkspace, type SearchableWorkspace } from '../search/SearchableWorkspace.js';
import type { CliContext } from './context.js';
import { type WorkspaceOptionValues, workspaceFolderOf } from './options/workspaceOptions.js';

/** Opens the workspace that the options name for searching, and closes it when `use` has ended, however that ends. */
export async function withSearch<T>(
  values: WorkspaceOptionValues,
  context: CliContext,
  options: OpenSearchOptions,
  use: (workspace: SearchableWorkspace) => Promise<T>,
): Promise<T> {
  const workspace = await openWorkspace(workspaceFolderOf(values, context), options);
  try {
    return await use(workspace);
  } finally {
    await workspace.close();
  }
}
