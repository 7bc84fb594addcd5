import { canonicalJson } from '../../commitment/canonicalJson.js';
import { expandFiles } from '../../corpus/ingest/expandFiles.js';
import { buildMapping, type IngestMapping, type MappingChoices } from '../../corpus/ingest/mapping.js';
import type { TimeDecisions } from '../../corpus/ingest/recordMapper.js';
import type { SourceFormat } from '../../corpus/ingest/sourceFile.js';
import { InputSet } from '../../corpus/readers/inputs.js';
import type { Instant } from '../../time/instant.js';
import { checkInstant } from './checkInstant.js';
import { type IngestedFile, ingestFile } from './ingestFile.js';
import { type CommitCounts, settledUpTo, type WorkspaceState } from './state.js';
import { addUp } from './status.js';
import { withSegment } from './withSegment.js';

/** How files are read into a workspace. */
export interface IngestOptions {
  /** The instant of ingest: availability of records that declare none, and materialisation time. */
  readonly now: Instant;
  /** How records become assets; what is not said comes from the workspace's mapping, which this becomes. */
  readonly mapping?: MappingChoices | undefined;
  /** Format of every file; found out by name when absent. */
  readonly format?: SourceFormat | undefined;
  /** `stop` (default): a record that cannot be used ends the ingest, and nothing of its file is stored. */
  readonly onError?: 'stop' | 'skip' | undefined;
  /** Allows late arrivals: records that change answers which the log may have given already. */
  readonly backfill?: boolean | undefined;
  /** What `-` reads; standard input of the process by default. */
  readonly stdin?: NodeJS.ReadableStream | undefined;
  /** Told how far it is, as records are read. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Told of each file when it is committed. */
  readonly onFile?: ((report: FileReport) => void) | undefined;
}

/** How far an ingest has come. */
export interface IngestProgress {
  readonly file: string;
  /** Records of this file so far. */
  readonly records: number;
  /** Bytes of all files so far, and their sum as far as it is known, as they lie on disk. */
  readonly bytes: number;
  readonly totalBytes: number;
}

/** What came of one file. */
export interface FileReport extends CommitCounts {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Whether the log changed. */
  readonly committed: boolean;
  readonly decisions: TimeDecisions;
  /** Where rejected records are, relative to the workspace. */
  readonly rejects: string | undefined;
}

/** What an ingest read, by file and in total, and the mapping that it used. */
export interface IngestReport {
  readonly files: readonly FileReport[];
  readonly totals: CommitCounts;
  readonly mapping: IngestMapping;
}

/** What changes a workspace: the state as it is, and a way to put another in force. */
export interface WriterContext {
  readonly folder: string;
  readonly state: WorkspaceState;
  publish(state: WorkspaceState): Promise<void>;
}

/**
 * Reads files into the log, in code-unit order of their paths. Each file is one commit, whole or not at all; files before
 * one that fails stay. Running the same ingest again changes nothing that is there already.
 */
export async function ingestFiles(
  writer: WriterContext,
  patterns: readonly string[],
  options: IngestOptions,
): Promise<IngestReport> {
  checkInstant('now', options.now);
  const mapping = buildMapping(options.mapping, writer.state.mapping);
  const sources = await expandFiles(patterns);
  const totalBytes = sources.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  let bytes = 0;
  let records = 0;
  let current = '';
  const report = () => options.onProgress?.({ file: current, records, bytes, totalBytes });
  const inputs = new InputSet({
    stdin: options.stdin,
    onBytes: (_path, count) => {
      bytes += count;
    },
  });
  // As the log is now: of a history that comes in several files, none is late for another one's sake.
  const settledAt = settledUpTo(writer.state);
  const files: FileReport[] = [];
  for (const { path } of sources) {
    current = path;
    records = 0;
    const { now, format, onError = 'stop', backfill = false } = options;
    const ingested = await ingestFile(writer.folder, writer.state, path, inputs, {
      mapping,
      now,
      format,
      onError,
      settledAt,
      backfill,
      onRecords: (count) => {
        records = count;
        report();
      },
    });
    const input = inputs.records.at(-1)!;
    const counts = countsOf(ingested);
    const isNewMapping = canonicalJson(mapping) !== canonicalJson(writer.state.mapping);
    if (ingested.written !== undefined) {
      const source = { source: path, sourceSha256: input.sha256 };
      const change = { kind: 'ingest' as const, at: now, ...source, ...counts };
      await writer.publish({ ...withSegment(writer.state, ingested.written, change), mapping });
    } else if (isNewMapping) {
      await writer.publish({ ...writer.state, generation: writer.state.generation + 1, mapping });
    }
    const { decisions, rejects } = ingested;
    const committed = ingested.written !== undefined;
    files.push({ file: path, sha256: input.sha256, bytes: input.bytes, committed, decisions, rejects, ...counts });
    options.onFile?.(files.at(-1)!);
  }
  return { files, totals: addUp(files), mapping };
}

function countsOf({ change, read, rejected }: IngestedFile): CommitCounts {
  const { added, versions, unchanged, replaced, withdrawn, late, ahead } = change;
  return { read, added, versions, unchanged, replaced, rejected, withdrawn, late, ahead };
}
