import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { initWorkspace } from '../initWorkspace.js';
import { openWorkspace } from '../openWorkspace.js';
import type { Workspace } from '../Workspace.js';

/** A folder that the end of the test removes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'asof-workspace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An empty workspace, open for writing until the end of the test. */
export async function workspaceForTest(): Promise<Workspace> {
  const folder = path.join(temporaryFolder(), 'workspace');
  await initWorkspace(folder);
  const workspace = await openWorkspace(folder);
  onTestFinished(() => workspace.close());
  return workspace;
}
