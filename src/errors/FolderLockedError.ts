import { AsofError } from './AsofError.js';
import { wording } from './wording.js';

/** Another process writes the folder, a workspace or a run; nothing was changed. Readers are never refused. */
export class FolderLockedError extends AsofError {
  readonly code = 'ASOF_FOLDER_LOCKED';
  readonly folder: string;
  /** Process that has it, where known. */
  readonly pid: number | undefined;

  constructor(options: { folder: string; pid?: number | undefined; host?: string | undefined; cause?: unknown }) {
    const { folder, pid, host, cause } = options;
    const holder = pid === undefined ? 'another process' : `process ${pid}${host === undefined ? '' : ` on ${host}`}`;
    super(wording`${folder} is being written by ${holder}: wait until it has ended, and ${{ again: true }}`, { cause });
    this.folder = folder;
    this.pid = pid;
  }
}
