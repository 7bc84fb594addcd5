import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import type { Column } from '../../columnar/columns.js';
import { copyToFile, openInMemory } from '../../columnar/duckdb.js';
import { appendColumns } from '../../columnar/writeParquet.js';
import { MerkleAccumulator } from '../../commitment/merkleTree.js';
import { type AssetContent, contentHash } from '../../corpus/ingest/assetContent.js';
import type { Instant } from '../../time/instant.js';
import { inWorkspace, workspaceLayout } from './layout.js';
import { operationLeaf, operationsQuery } from './operations.js';
import { queryRows } from './queryRows.js';
import { describeSegment } from './segmentFiles.js';
import { logSize, type SegmentRecord, type WorkspaceState } from './state.js';

/** A record on its way into the log: a version of an asset, the end of its availability, or both. */
export interface StagedRecord {
  readonly id: string;
  /** Undefined where there is only an end of availability. */
  readonly content: AssetContent | undefined;
  readonly availableAt: Instant;
  readonly withdrawnAt: Instant | undefined;
  /** Line or row of its file, for messages; 0 where there is none. */
  readonly line: number;
}

/** What the staged records come to against the log as it is. */
export interface StagedChange {
  readonly added: number;
  readonly versions: number;
  readonly unchanged: number;
  readonly replaced: number;
  readonly withdrawn: number;
  readonly late: number;
  readonly ahead: number;
  /** The first operation that is late, in the order of the file. */
  readonly firstLate: { readonly id: string; readonly line: number; readonly at: Instant } | undefined;
}

/** The log with the change at its end. */
export interface WrittenSegment {
  readonly segment: SegmentRecord;
  readonly log: MerkleAccumulator;
  readonly newest: Instant;
}

/** Memory that DuckDB may use while it sorts and compares a file's records; beyond it, it goes to disk. */
const memoryLimit = '256MiB';
const batchRows = 2048;

/**
 * Collects the records of one file, finds out which of them change anything, and writes those as a segment. Memory is
 * bounded, whatever the file's length: records go to DuckDB in batches, and from there to disk where they are many.
 */
export class Staging {
  readonly #folder: string;
  readonly #spill: string;
  readonly #connection: DuckDBConnection;
  readonly #close: () => void;
  readonly #appender: DuckDBAppender;
  #batch: StagedRecord[] = [];
  #count = 0;

  private constructor(
    folder: string,
    spill: string,
    connection: DuckDBConnection,
    close: () => void,
    appender: DuckDBAppender,
  ) {
    this.#folder = folder;
    this.#spill = spill;
    this.#connection = connection;
    this.#close = close;
    this.#appender = appender;
  }

  static async open(folder: string): Promise<Staging> {
    const spill = inWorkspace(folder, `${workspaceLayout.staging}/${randomUUID()}`);
    await mkdir(spill, { recursive: true });
    const { connection, close } = await openInMemory({ memoryLimit, spillFolder: spill });
    await connection.run(
      'CREATE TABLE staged (ordinal BIGINT, line BIGINT, id VARCHAR, available_at BIGINT, withdrawn_at BIGINT,' +
        ' event_at BIGINT, type VARCHAR, title VARCHAR, text VARCHAR, entities VARCHAR[], fields VARCHAR,' +
        ' content_hash VARCHAR)',
    );
    return new Staging(folder, spill, connection, close, await connection.createAppender('staged'));
  }

  /** A folder for files that are needed until `close`. */
  get scratchFolder(): string {
    return this.#spill;
  }

  add(record: StagedRecord): void {
    this.#batch.push(record);
    if (this.#batch.length === batchRows) this.#flush();
  }

  /**
   * Compares the records with the log. The rules:
   * - Of several records with an operation on one asset at one instant, the last one's counts. A version that is
   *   withdrawn at the instant at which it becomes available stays in the log, and is never current.
   * - An operation that the log holds already changes nothing.
   * - Nor does a version whose content is current at its time of availability, by the log and the records before it;
   *   nor a withdrawal of what is not current then.
   *
   * @param now the instant of ingest
   * @param settledAt up to when answers of the log are settled: an operation before it and before `now` is late
   * @param mayRepeat whether an operation that the log holds at its instant counts again where a later one has undone it
   */
  async compare(
    state: WorkspaceState,
    now: Instant,
    settledAt: Instant | undefined,
    mayRepeat = false,
  ): Promise<StagedChange> {
    this.#flush();
    this.#appender.closeSync();
    const scope = { folder: this.#folder, segments: state.segments, size: logSize(state) };
    await this.#connection.run(
      `CREATE TABLE incoming AS SELECT *, first_value(state) OVER same AS final,
         ordinal = first_value(ordinal) OVER same AS is_final
       FROM (
         SELECT 0::TINYINT AS kind, id, available_at AS instant, ordinal, content_hash AS state
           FROM staged WHERE content_hash IS NOT NULL
         UNION ALL
         SELECT 1::TINYINT, id, withdrawn_at, ordinal, NULL FROM staged WHERE withdrawn_at IS NOT NULL)
       WINDOW same AS (PARTITION BY id, instant ORDER BY ordinal DESC, kind)`,
    );
    await this.#connection.run(
      `CREATE TABLE history AS SELECT kind, id, instant, sequence, content_hash AS state
       FROM ${operationsQuery(scope)} WHERE id IN (SELECT id FROM incoming)`,
    );
    await this.#connection.run(
      `CREATE TABLE kept AS
       WITH fresh AS (
         SELECT kind, id, instant, ordinal, state FROM incoming i WHERE is_final AND (${mayRepeat} OR NOT EXISTS (
           SELECT 1 FROM history h WHERE h.id = i.id AND h.instant = i.instant AND h.kind = i.kind
             AND h.state IS NOT DISTINCT FROM i.state))),
       timeline AS (
         SELECT kind, id, instant, sequence AS position, state, false AS is_fresh FROM history
         UNION ALL
         SELECT kind, id, instant, ordinal, state, true FROM fresh),
       compared AS (
         SELECT *, lag(state) OVER (PARTITION BY id ORDER BY instant, is_fresh, position, kind) AS previous FROM timeline)
       SELECT kind, id, instant, position AS ordinal, state,
         row_number() OVER (ORDER BY instant, position, kind) - 1 + ${scope.size} AS sequence
       FROM compared WHERE is_fresh AND state IS DISTINCT FROM previous`,
    );
    const late = settledAt === undefined ? 'false' : `instant < ${Math.min(settledAt, now)}`;
    const counts = await this.#one(
      `SELECT
         (SELECT count(*) FROM incoming WHERE kind = 0),
         (SELECT count(*) FROM incoming WHERE kind = 0 AND NOT is_final AND state IS DISTINCT FROM final),
         (SELECT count(*) FROM kept WHERE kind = 0),
         (SELECT count(DISTINCT id) FROM kept WHERE kind = 0 AND id NOT IN (SELECT id FROM history)),
         (SELECT count(*) FROM kept WHERE kind = 1),
         (SELECT count(*) FROM kept WHERE ${late}),
         (SELECT count(*) FROM kept k JOIN staged s USING (ordinal) WHERE k.kind = 0 AND s.event_at > k.instant)`,
    );
    const [puts, replaced, keptPuts, added, withdrawn, lateCount, ahead] = counts!.map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const first = await this.#one(
      `SELECT k.id, s.line, k.instant FROM kept k JOIN staged s USING (ordinal) WHERE ${late} ORDER BY ordinal LIMIT 1`,
    );
    return {
      added,
      versions: keptPuts - added,
      unchanged: puts - replaced - keptPuts,
      replaced,
      withdrawn,
      late: lateCount,
      ahead,
      firstLate: first && { id: String(first[0]), line: Number(first[1]), at: Number(first[2]) },
    };
  }

  /**
   * Writes what `compare` found to change anything as a segment; nothing names it yet.
   *
   * @returns undefined when nothing changes
   */
  async write(state: WorkspaceState, now: Instant): Promise<WrittenSegment | undefined> {
    const totals = await this.#one(
      'SELECT count(*) FILTER (kind = 0), count(*) FILTER (kind = 1), max(instant) FROM kept',
    );
    const [rows, withdrawals, newest] = totals!.map(Number) as [number, number, number];
    if (rows + withdrawals === 0) return undefined;
    const id = state.nextSegment;
    await rm(inWorkspace(this.#folder, workspaceLayout.segment(id)), { recursive: true, force: true });
    await mkdir(inWorkspace(this.#folder, workspaceLayout.segment(id)), { recursive: true });
    if (rows > 0) {
      await copyToFile(
        this.#connection,
        `SELECT k.sequence, k.id, k.instant AS available_at, s.event_at, ${now}::BIGINT AS materialized_at, s.type, s.title,
           s.text, s.entities, s.fields, s.content_hash
         FROM kept k JOIN staged s USING (ordinal) WHERE k.kind = 0 ORDER BY k.sequence`,
        inWorkspace(this.#folder, workspaceLayout.rows(id)),
        segmentFileFormat,
      );
    }
    if (withdrawals > 0) {
      await copyToFile(
        this.#connection,
        `SELECT sequence, id, instant, ${now}::BIGINT AS materialized_at FROM kept WHERE kind = 1 ORDER BY sequence`,
        inWorkspace(this.#folder, workspaceLayout.withdrawals(id)),
        segmentFileFormat,
      );
    }
    const log = MerkleAccumulator.resume(state.logEdge);
    const content = new MerkleAccumulator();
    const operations = queryRows(this.#connection, 'SELECT kind, id, instant, state FROM kept ORDER BY sequence');
    for await (const chunk of operations) {
      for (const [kind, asset, instant, hash] of chunk) {
        const leaf = operationLeaf(kind as number, asset as string, Number(instant), hash as string | null);
        log.appendLeafHash(leaf);
        if (kind === 0) content.appendLeafHash(leaf);
      }
    }
    const segment = await describeSegment(this.#folder, { id, rows, withdrawals, content });
    return { segment, log, newest: Math.max(newest, state.newest ?? Number.NEGATIVE_INFINITY) };
  }

  async close(): Promise<void> {
    this.#close();
    await rm(this.#spill, { recursive: true, force: true });
  }

  async #one(query: string): Promise<unknown[] | undefined> {
    return (await (await this.#connection.run(query)).getRows())[0];
  }

  #flush(): void {
    const rows = this.#batch;
    if (rows.length === 0) return;
    appendColumns(this.#appender, rows.length, stagedColumns(rows, this.#count));
    this.#count += rows.length;
    this.#batch = [];
  }
}

/** Row groups are small so that the text of a few rows can be read without unpacking many others. */
export const segmentFileFormat = 'FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 4096';

function stagedColumns(rows: readonly StagedRecord[], first: number): Column[] {
  const instants = (pick: (row: StagedRecord) => number | undefined) =>
    Float64Array.from(rows, (row) => pick(row) ?? Number.NaN);
  const texts = (pick: (row: StagedRecord) => string | undefined) => rows.map((row) => pick(row) ?? null);
  const names = rows.flatMap((row) => row.content?.entities ?? []);
  const lengths = Uint32Array.from(rows, (row) => row.content?.entities.length ?? 0);
  const offsets = new Uint32Array(rows.length);
  for (let i = 1; i < rows.length; i++) offsets[i] = offsets[i - 1]! + lengths[i - 1]!;
  return [
    { name: 'ordinal', type: 'instant', values: Float64Array.from(rows, (_, i) => first + i) },
    { name: 'line', type: 'instant', values: instants((row) => row.line) },
    { name: 'id', type: 'string', values: texts((row) => row.id) },
    { name: 'available_at', type: 'instant', values: instants((row) => row.availableAt) },
    { name: 'withdrawn_at', type: 'instant', values: instants((row) => row.withdrawnAt) },
    { name: 'event_at', type: 'instant', values: instants((row) => row.content?.eventAt) },
    { name: 'type', type: 'string', values: texts((row) => row.content?.type) },
    { name: 'title', type: 'string', values: texts((row) => row.content?.title) },
    { name: 'text', type: 'string', values: texts((row) => row.content?.text) },
    {
      name: 'entities',
      type: 'list<string>',
      offsets,
      lengths,
      values: Uint32Array.from(names, (_, i) => i),
      dictionary: names,
    },
    { name: 'fields', type: 'string', values: texts((row) => row.content?.fields) },
    { name: 'content_hash', type: 'string', values: texts((row) => row.content && contentHash(row.content)) },
  ];
}
