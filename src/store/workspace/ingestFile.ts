import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { IngestMapping } from '../../corpus/ingest/mapping.js';
import { RecordMapper, type TimeDecisions } from '../../corpus/ingest/recordMapper.js';
import { readSourceRecords, type SourceFormat } from '../../corpus/ingest/sourceFile.js';
import type { LocatedRecord } from '../../corpus/ingest/sourceRecord.js';
import { type InputSet, inputLabel } from '../../corpus/readers/inputs.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { wording } from '../../errors/wording.js';
import { moveToFreeName } from '../../files/newFile.js';
import { syncWithFolder } from '../../files/syncPath.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Instant } from '../../time/instant.js';
import { lateArrival } from './lateArrival.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import { type StagedChange, Staging, type WrittenSegment } from './staging.js';
import type { WorkspaceState } from './state.js';

export interface IngestFileOptions {
  readonly mapping: IngestMapping;
  /** The instant of ingest: availability of records that declare none, and materialisation time. */
  readonly now: Instant;
  readonly format?: SourceFormat | undefined;
  /** `stop`: the first record that cannot be used ends the file, and nothing of it is stored. `skip`: it is set aside. */
  readonly onError: 'stop' | 'skip';
  /** Up to when answers of the log were settled when the ingest began; undefined for an empty log. */
  readonly settledAt: Instant | undefined;
  /** Whether operations may become available before `settledAt`. */
  readonly backfill: boolean;
  /** Told how many records were read so far. */
  readonly onRecords?: ((count: number) => void) | undefined;
}

/** What a file comes to; nothing of it is in force yet. */
export interface IngestedFile {
  readonly change: StagedChange;
  readonly written: WrittenSegment | undefined;
  readonly read: number;
  readonly rejected: number;
  /** Where rejected records are, relative to the workspace; undefined when there are none. */
  readonly rejects: string | undefined;
  readonly decisions: TimeDecisions;
}

/**
 * Reads a file, compares it with the log, and writes what changes as a segment that nothing names yet.
 *
 * @throws InvalidInputError for the first record that cannot be used, unless they are skipped; it names file, line, field
 */
export async function ingestFile(
  folder: string,
  state: WorkspaceState,
  file: string,
  inputs: InputSet,
  options: IngestFileOptions,
): Promise<IngestedFile> {
  const { mapping, now, format, onRecords } = options;
  const mapper = new RecordMapper(mapping);
  const staging = await Staging.open(folder);
  const rejects = new RejectedRecords(path.join(staging.scratchFolder, 'rejects.jsonl'));
  let read = 0;
  const take = (located: LocatedRecord): void => {
    if ('fault' in located) throw located.fault;
    const { location, record } = located;
    const { id, content, availableAt = now, withdrawnAt } = mapper.map(record, location);
    const end = withdrawnAt === undefined ? undefined : Math.max(withdrawnAt, availableAt);
    staging.add({ id, content, availableAt, withdrawnAt: end, line: location.line ?? location.row ?? 0 });
  };
  try {
    const batches = readSourceRecords(file, inputs, { format, scratchFolder: staging.scratchFolder });
    for await (const batch of batches) {
      for (const located of batch) {
        read++;
        try {
          take(located);
        } catch (error) {
          if (options.onError === 'stop' || !(error instanceof InvalidInputError)) throw error;
          rejects.add(error, 'record' in located ? located.record : undefined);
        }
      }
      await rejects.settle();
      onRecords?.(read);
    }
    const { settledAt, backfill } = options;
    const change = await staging.compare(state, now, settledAt);
    if (change.firstLate !== undefined && !backfill) {
      const { id, line } = change.firstLate;
      const argument = wording`${{ place: { file: inputLabel(file), line } }}: availability of ${id}`;
      throw lateArrival(argument, change, Math.min(settledAt!, now));
    }
    const written = await staging.write(state, now);
    const rejectsFile = await rejects.finish(folder, file, now);
    return { change, written, read, rejected: rejects.count, rejects: rejectsFile, decisions: mapper.decisions };
  } finally {
    await rejects.close();
    await staging.close();
  }
}

/** Records that were set aside, one JSON object a line, on their way to a file beside the log. */
class RejectedRecords {
  count = 0;
  readonly #scratch: string;
  #stream: ReturnType<typeof createWriteStream> | undefined;

  constructor(scratch: string) {
    this.#scratch = scratch;
  }

  add(error: InvalidInputError, record: unknown): void {
    this.#stream ??= createWriteStream(this.#scratch);
    this.count++;
    const { location, expected, value } = error;
    const line = JSON.stringify({ ...location, reason: error.message, expected, value, record });
    this.#stream.write(`${line}\n`);
  }

  /** Waits until memory is free of what was added. */
  async settle(): Promise<void> {
    const stream = this.#stream;
    if (stream?.writableNeedDrain) await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }

  /** Puts the file in its place, under a name that no other has; undefined when nothing was rejected. */
  async finish(folder: string, source: string, now: Instant): Promise<string | undefined> {
    if (this.#stream === undefined) return undefined;
    await this.close();
    const name = `${formatInstant(now).replaceAll(':', '-')}.${path.basename(inputLabel(source))}`;
    const rejects = inWorkspace(folder, workspaceLayout.rejects);
    await mkdir(rejects, { recursive: true });
    // Files of one name from several folders, and all that comes from stdin within a millisecond, would be named the same.
    const place = await moveToFreeName(this.#scratch, (number) =>
      path.join(rejects, `${name}${number === 1 ? '' : `.${number}`}.jsonl`),
    );
    await syncWithFolder(place);
    return `${workspaceLayout.rejects}/${path.basename(place)}`;
  }

  async close(): Promise<void> {
    if (this.#stream === undefined || this.#stream.writableFinished) return;
    this.#stream.end();
    await finished(this.#stream);
  }
}
