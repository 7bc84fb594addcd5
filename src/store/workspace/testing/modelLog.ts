import { commitEntries } from '../../../commitment/merkleTree.js';
import { compareCodeUnits } from '../../../corpus/corpus.js';

/** A record of a test: puts a text, may end its availability. */
export interface ModelRecord {
  readonly id: string;
  readonly text: string;
  readonly availableAt: number;
  readonly withdrawnAt?: number | undefined;
}

interface ModelOperation {
  readonly id: string;
  readonly instant: number;
  /** Undefined for a withdrawal. */
  readonly text: string | undefined;
}

/** The rules of the asset log, written as plainly as they can be: the slow twin of the workspace. */
export class ModelLog {
  readonly operations: ModelOperation[] = [];

  ingest(records: readonly ModelRecord[]): void {
    const incoming = records.flatMap(({ id, text, availableAt, withdrawnAt }, record) => {
      const put = { record, id, instant: availableAt, text };
      if (withdrawnAt === undefined) return [put];
      return [put, { record, id, instant: Math.max(withdrawnAt, availableAt), text: undefined }];
    });
    this.#append(incoming);
  }

  /** Of an asset that is current then: also where the log holds a withdrawal at that instant which a put has undone. */
  withdraw(id: string, instant: number): void {
    this.operations.push({ id, instant, text: undefined });
  }

  /** Id to text of what is current as of t. */
  currentAsOf(t: number, size = this.operations.length): Map<string, string> {
    const current = new Map<string, string>();
    // A stable sort keeps the order of the log among equal instants.
    const upTo = this.operations.slice(0, size).filter(({ instant }) => instant <= t);
    for (const { id, text } of upTo.sort((a, b) => a.instant - b.instant)) {
      if (text === undefined) current.delete(id);
      else current.set(id, text);
    }
    return current;
  }

  /** Root of the state as of t: of the operations on one asset at one instant, the last; by instant, then id. */
  stateRoot(t: number, leafOf: (operation: ModelOperation) => string): string {
    const deciding = new Map<string, ModelOperation>();
    for (const operation of this.operations) {
      if (operation.instant <= t) deciding.set(`${operation.instant} ${operation.id}`, operation);
    }
    const ordered = [...deciding.values()].sort((a, b) => a.instant - b.instant || compareCodeUnits(a.id, b.id));
    return commitEntries(ordered.map(leafOf)).root;
  }

  #append(incoming: readonly (ModelOperation & { record: number })[]): void {
    const final = incoming.filter(
      ({ record, id, instant }) =>
        !incoming.some((other) => other.record > record && other.id === id && other.instant === instant),
    );
    for (const { id, instant, text } of final.sort((a, b) => a.instant - b.instant)) {
      const isHeld = this.operations.some((held) => held.id === id && held.instant === instant && held.text === text);
      const isCurrent = this.currentAsOf(instant).get(id) === text;
      if (!isHeld && !isCurrent) this.operations.push({ id, instant, text });
    }
  }
}
