import { createReadStream } from 'node:fs';
import type { LogCommitment } from '../../commitment/merkleTree.js';
import type { MappingChoices } from '../../corpus/ingest/mapping.js';
import { RequestRefusedError } from '../../errors/RequestRefusedError.js';
import type { BuildReport } from '../../search/buildIndexes.js';
import { openWorkspace, type SearchableWorkspace } from '../../search/SearchableWorkspace.js';
import type { FileReport } from '../../store/workspace/ingest.js';
import type { Instant } from '../../time/instant.js';

export interface IngestWork {
  /** File of JSON Lines. */
  readonly file: string;
  readonly now: () => Instant;
  readonly mapping: MappingChoices | undefined;
  readonly onError: 'stop' | 'skip';
  readonly backfill: boolean;
}

export interface IngestAnswer {
  readonly report: Omit<FileReport, 'file'>;
  /** What was indexed for search, and embedded where the workspace has vectors. */
  readonly index: BuildReport;
  readonly log: LogCommitment;
}

/**
 * Ingests, one after the other. The writer's lock is held for as long as one takes, so that `asof ingest` and other writers
 * get their turn.
 */
export class IngestQueue {
  readonly #folder: string;
  readonly #limit: number;
  readonly #onWaiting: (count: number) => void;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, limit: number, onWaiting: (count: number) => void = () => {}) {
    this.#folder = folder;
    this.#limit = limit;
    this.#onWaiting = onWaiting;
  }

  /**
   * Takes a place for a request, from before its body arrives.
   * @returns what gives the place back
   * @throws RequestRefusedError (429) when too many wait already
   */
  enter(): () => void {
    if (this.#waiting <= this.#limit) {
      this.#count(1);
      return () => this.#count(-1);
    }
    const message = `${this.#waiting} ingests are waiting: ask again later`;
    throw new RequestRefusedError({ code: 'ASOF_TOO_BUSY', status: 429, message });
  }

  ingest(work: IngestWork): Promise<IngestAnswer> {
    return this.#inTurn((workspace) => ingestFile(workspace, work));
  }

  /** Does something with the workspace open for writing. */
  write<T>(act: (workspace: SearchableWorkspace) => Promise<T>): Promise<T> {
    return this.#inTurn(act);
  }

  async idle(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  #inTurn<T>(act: (workspace: SearchableWorkspace) => Promise<T>): Promise<T> {
    const result = this.#last
      .catch(() => undefined)
      .then(async () => {
        const workspace = await openWorkspace(this.#folder);
        try {
          return await act(workspace);
        } finally {
          await workspace.close();
        }
      });
    this.#last = result;
    return result;
  }

  #count(change: number): void {
    this.#waiting += change;
    this.#onWaiting(this.#waiting);
  }
}

async function ingestFile(workspace: SearchableWorkspace, work: IngestWork): Promise<IngestAnswer> {
  const { files, index } = await workspace.ingest(['-'], {
    now: work.now(),
    mapping: work.mapping,
    format: 'jsonl',
    onError: work.onError,
    backfill: work.backfill,
    stdin: createReadStream(work.file),
  });
  const { file: _file, ...report } = files[0]!;
  return { report, index, log: workspace.storage.log };
}
