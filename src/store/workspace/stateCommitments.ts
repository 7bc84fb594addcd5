import type { Database } from '../../columnar/duckdb.js';
import { MerkleLog } from '../../commitment/merkleLog.js';
import { compareCodeUnits, snapshotSize } from '../../corpus/corpus.js';
import type { Instant } from '../../time/instant.js';
import { type OperationScope, operationLeaf, operationsQuery } from './operations.js';
import { queryRows } from './queryRows.js';

/** Identity of the corpus as of an instant: the same for the same facts, whatever became available later. */
export interface StateCommitment {
  readonly asOf: Instant;
  /** Operations that decide what is current at some instant up to `asOf`. */
  readonly size: number;
  /** Merkle root over them (RFC 9162), hexadecimal. */
  readonly root: string;
}

/**
 * Commitments to every past state of the corpus: the state as of t is the prefix, up to t, of the operations in the
 * order of their instants, then of the assets' ids. Of several operations on one asset at one instant only the one that
 * decides counts. So the commitment depends on what was available by t, and neither on later facts nor on how the
 * operations were cut into files and commits.
 */
export class StateCommitments {
  /** Every prefix of it is a state. */
  readonly #log: MerkleLog;
  /** [at least the log's size] instants of its entries, ascending. */
  readonly #instants: Float64Array;
  /** Size of the asset log that was read. */
  readonly #size: number;
  /** Latest instant of each segment's operations that was read, by the segment's id. */
  readonly #newest: ReadonlyMap<number, Instant>;

  private constructor(log: MerkleLog, instants: Float64Array, size: number, newest: ReadonlyMap<number, Instant>) {
    this.#log = log;
    this.#instants = instants;
    this.#size = size;
    this.#newest = newest;
  }

  /**
   * Reads the log, in some seconds a million operations. Memory: 72 bytes an operation.
   *
   * @param previous commitments to a log that this one goes on from: only operations from the first new instant on are read
   */
  static async load(
    database: Database,
    scope: OperationScope,
    previous = StateCommitments.#none,
  ): Promise<StateCommitments> {
    if (scope.size === previous.#size) return previous;
    const { connection, close } = await database.connect();
    try {
      // New operations are in new segments, which may hold old ones as well, since segments are merged.
      const newest = new Map(previous.#newest);
      let from = Number.POSITIVE_INFINITY;
      const segments = scope.segments.filter(({ id }) => !newest.has(id));
      const times =
        `SELECT segment, max(instant), min(instant) FILTER (sequence >= ${previous.#size})` +
        ` FROM ${operationsQuery({ ...scope, segments })} GROUP BY segment`;
      for (const [segment, last, first] of (await (await connection.run(times)).getRows()) as (bigint | null)[][]) {
        newest.set(Number(segment), Number(last));
        if (first !== null) from = Math.min(from, Number(first));
      }
      const kept = previous.#sizeBefore(from);
      const log = previous.#log.prefix(kept);
      const instants = new Float64Array(scope.size);
      instants.set(previous.#instants.subarray(0, kept));
      // Operations of one instant are put in order here: DuckDB's order of texts is not that of code units.
      let group: OperationRow[] = [];
      const endGroup = () => {
        for (const { kind, id, instant, contentHash } of decidingOperations(group)) {
          instants[log.size] = instant;
          log.appendLeafHash(operationLeaf(kind, id, instant, contentHash));
        }
        group = [];
      };
      const read = { ...scope, segments: scope.segments.filter(({ id }) => newest.get(id)! >= from) };
      const query = `SELECT kind, id, instant, content_hash FROM ${operationsQuery(read)} WHERE instant >= ${from}
        ORDER BY instant, sequence`;
      for await (const chunk of queryRows(connection, query)) {
        for (const [kind, id, at, contentHash] of chunk) {
          const instant = Number(at);
          if (group.length > 0 && group[0]!.instant !== instant) endGroup();
          group.push({ kind, id, instant, contentHash } as OperationRow);
        }
      }
      endGroup();
      return new StateCommitments(log, instants.subarray(0, log.size), scope.size, newest);
    } finally {
      close();
    }
  }

  static readonly #none = new StateCommitments(new MerkleLog(), new Float64Array(0), 0, new Map());

  at(asOf: Instant): StateCommitment {
    const size = snapshotSize({ size: this.#instants.length, availableAt: this.#instants }, asOf);
    return { asOf, ...this.#log.commitment(size) };
  }

  /** Entries of instants before `from`. */
  #sizeBefore(from: number): number {
    return snapshotSize({ size: this.#instants.length, availableAt: this.#instants }, from - 1);
  }
}

interface OperationRow {
  readonly kind: number;
  readonly id: string;
  readonly instant: Instant;
  readonly contentHash: string | null;
}

/** Of operations of one instant, in the order of the log, the last one on each asset, by id. */
function decidingOperations(operations: readonly OperationRow[]): readonly OperationRow[] {
  if (operations.length < 2) return operations;
  const last = new Map(operations.map((operation) => [operation.id, operation]));
  return [...last.values()].sort((a, b) => compareCodeUnits(a.id, b.id));
}
