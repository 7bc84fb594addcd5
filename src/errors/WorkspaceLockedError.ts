import { AsofError } from './AsofError.js';

/** Another writer has the workspace; nothing was changed. Readers are never refused. */
export class WorkspaceLockedError extends AsofError {
  readonly code = 'ASOF_WORKSPACE_LOCKED';
  readonly workspace: string;
  /** Process that has it, where known. */
  readonly pid: number | undefined;

  constructor(options: { workspace: string; pid?: number | undefined; host?: string | undefined; cause?: unknown }) {
    const { workspace, pid, host, cause } = options;
    const holder = pid === undefined ? 'another process' : `process ${pid}${host === undefined ? '' : ` on ${host}`}`;
    super(`${workspace} is being written by ${holder}: wait until it has ended, and give the command again`, { cause });
    this.workspace = workspace;
    this.pid = pid;
  }
}
