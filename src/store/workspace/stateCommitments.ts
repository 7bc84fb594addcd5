import { openInMemory } from '../../columnar/duckdb.js';
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
  /** Instants of its entries, ascending. */
  readonly #instants: Float64Array;

  private constructor(log: MerkleLog, instants: Float64Array) {
    this.#log = log;
    this.#instants = instants;
  }

  /** Reads the whole log, in some seconds a million operations. Memory: 72 bytes an operation. */
  static async load(scope: OperationScope): Promise<StateCommitments> {
    const { connection, close } = await openInMemory();
    try {
      const instants = new Float64Array(scope.size);
      const log = new MerkleLog();
      // Operations of one instant are put in order here: DuckDB's order of texts is not that of code units.
      let group: OperationRow[] = [];
      const endGroup = () => {
        for (const { kind, id, instant, contentHash } of decidingOperations(group)) {
          instants[log.size] = instant;
          log.appendLeafHash(operationLeaf(kind, id, instant, contentHash));
        }
        group = [];
      };
      const query = `SELECT kind, id, instant, content_hash FROM ${operationsQuery(scope)} ORDER BY instant, sequence`;
      for await (const chunk of queryRows(connection, query)) {
        for (const [kind, id, at, contentHash] of chunk) {
          const instant = Number(at);
          if (group.length > 0 && group[0]!.instant !== instant) endGroup();
          group.push({ kind, id, instant, contentHash } as OperationRow);
        }
      }
      endGroup();
      return new StateCommitments(log, instants.subarray(0, log.size));
    } finally {
      close();
    }
  }

  at(asOf: Instant): StateCommitment {
    const size = snapshotSize({ size: this.#instants.length, availableAt: this.#instants }, asOf);
    return { asOf, ...this.#log.commitment(size) };
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
