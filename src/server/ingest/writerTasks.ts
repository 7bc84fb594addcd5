import { createReadStream } from 'node:fs';
import type { LogCommitment } from '../../commitment/merkleTree.js';
import type { MappingChoices } from '../../corpus/ingest/mapping.js';
import type { BuildReport } from '../../search/buildIndexes.js';
import { openWorkspace, type SearchableWorkspace } from '../../search/SearchableWorkspace.js';
import type { FileReport } from '../../store/workspace/ingest.js';
import type { Instant } from '../../time/instant.js';

/** Records of a file of JSON Lines. */
export interface IngestTask {
  readonly kind: 'ingest';
  readonly file: string;
  readonly now: Instant;
  readonly mapping: MappingChoices | undefined;
  readonly onError: 'stop' | 'skip';
  readonly backfill: boolean;
}

/** The end of the availability of assets. */
export interface WithdrawTask {
  readonly kind: 'withdraw';
  readonly ids: readonly string[];
  readonly now: Instant;
  readonly at: Instant | undefined;
  readonly backfill: boolean | undefined;
}

/** A change of a workspace, and its folder: plain data, since another process makes it. */
export type WriterTask = { readonly folder: string } & (IngestTask | WithdrawTask);

export interface IngestAnswer {
  readonly report: Omit<FileReport, 'file'>;
  /** What was indexed for search, and embedded where the workspace has vectors. */
  readonly index: BuildReport;
  readonly log: LogCommitment;
}

export interface WithdrawAnswer {
  readonly withdrawn: number;
  readonly log: LogCommitment;
}

/** Makes a change. The writer's lock is held for as long as it takes, so that other writers get their turn. */
export async function performWriterTask(task: WriterTask): Promise<IngestAnswer | WithdrawAnswer> {
  const workspace = await openWorkspace(task.folder);
  try {
    return task.kind === 'ingest' ? await ingest(workspace, task) : await withdraw(workspace, task);
  } finally {
    await workspace.close();
  }
}

async function ingest(workspace: SearchableWorkspace, task: IngestTask): Promise<IngestAnswer> {
  const { file: path, now, mapping, onError, backfill } = task;
  const options = { now, mapping, format: 'jsonl', onError, backfill, stdin: createReadStream(path) } as const;
  const { files, index } = await workspace.ingest(['-'], options);
  const { file: _file, ...report } = files[0]!;
  return { report, index, log: workspace.storage.log };
}

async function withdraw(
  workspace: SearchableWorkspace,
  { ids, now, at, backfill }: WithdrawTask,
): Promise<WithdrawAnswer> {
  const { withdrawn, size, root } = await workspace.withdraw(ids, { now, at, backfill });
  return { withdrawn, log: { size, root } };
}
