import type { Database } from '../../columnar/duckdb.js';
import { IdOrder } from './IdOrder.js';
import type { OperationScope } from './operations.js';
import { partOf } from './rowRuns.js';
import {
  loadSegmentColumns,
  loadWithdrawals,
  type SegmentColumns,
  type SegmentRows,
  type Withdrawals,
} from './segmentRows.js';
import type { SegmentRecord } from './state.js';

/** A segment of the log in memory: nothing of it ever changes. */
interface LoadedSegment {
  readonly id: number;
  readonly columns: SegmentColumns;
  readonly withdrawals: Withdrawals;
}

/** An operation on one asset: it puts the version in `row`, or withdraws the asset where there is no row. */
interface Operation {
  readonly instant: number;
  readonly sequence: number;
  readonly row: number | undefined;
}

/**
 * The segments of a log in memory, with what depends on all of them: the order of their ids, and the ends of currency. A
 * commit costs what its own segments hold: of those that were there before, only versions of the same assets are looked at.
 */
export class LoadedSegments {
  /** Place in the log up to which operations count. */
  readonly size: number;
  readonly order: IdOrder;
  readonly #segments: readonly LoadedSegment[];
  /** [segments] of each, [rows] the end of each row's currency; see `SegmentRows.endsAt`. */
  readonly #endsAt: readonly Float64Array[];

  private constructor(
    size: number,
    segments: readonly LoadedSegment[],
    order: IdOrder,
    endsAt: readonly Float64Array[],
  ) {
    this.size = size;
    this.order = order;
    this.#segments = segments;
    this.#endsAt = endsAt;
  }

  /** @param previous what was loaded of the log before */
  static async load(
    database: Database,
    { folder, segments, size }: OperationScope,
    previous?: LoadedSegments,
  ): Promise<LoadedSegments> {
    const loaded: LoadedSegment[] = [];
    for (const record of [...segments].sort((a, b) => a.id - b.id)) {
      loaded.push(previous?.segment(record.id) ?? (await loadSegment(database, folder, record)));
    }
    const columns = loaded.map(({ id, columns: { ids } }) => ({ id, ids }));
    const order = (previous?.order ?? IdOrder.empty).next(columns);
    return new LoadedSegments(size, loaded, order, endsOf(size, loaded, order, previous));
  }

  segment(id: number): LoadedSegment | undefined {
    return this.#segments.find((segment) => segment.id === id);
  }

  /** The ends of currency of a segment's rows. */
  endsAt(id: number): Float64Array | undefined {
    return this.#endsAt[this.#segments.findIndex((segment) => segment.id === id)];
  }

  columnsOf({ id }: SegmentRecord): SegmentColumns & Pick<SegmentRows, 'endsAt'> {
    return { ...this.segment(id)!.columns, endsAt: this.endsAt(id)! };
  }
}

async function loadSegment(database: Database, folder: string, record: SegmentRecord): Promise<LoadedSegment> {
  return {
    id: record.id,
    columns: await loadSegmentColumns(database, folder, record),
    withdrawals: await loadWithdrawals(database, folder, record),
  };
}

/**
 * Ends of currency: an operation on an asset ends what the one before put, in the order of (instant, place in the log). A row
 * that the log does not hold yet ends before all time.
 */
function endsOf(
  size: number,
  segments: readonly LoadedSegment[],
  order: IdOrder,
  previous: LoadedSegments | undefined,
): Float64Array[] {
  const isKnown = segments.map(({ id }) => previous?.segment(id) !== undefined);
  const ends = segments.map(({ id, columns: { sequence } }, at) =>
    isKnown[at]
      ? previous!.endsAt(id)!
      : sequence.map((place) => (place < size ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)),
  );
  const isOwn = isKnown.map((known) => !known);
  const setEnd = (row: number, endsAt: number) => {
    const part = partOf(order.firstRows, row);
    const own = row - order.firstRows[part]!;
    if (ends[part]![own] === endsAt) return;
    // Columns that were handed out before stay as they are.
    if (!isOwn[part]) ends[part] = ends[part]!.slice();
    isOwn[part] = true;
    ends[part]![own] = endsAt;
  };
  const put = (row: number): Operation => {
    const part = partOf(order.firstRows, row);
    const { availableAt, sequence } = segments[part]!.columns;
    const own = row - order.firstRows[part]!;
    return { instant: availableAt[own]!, sequence: sequence[own]!, row };
  };
  const withdrawing = segments.filter(({ withdrawals }) => withdrawals.size > 0);
  const update = (id: string, start: number, end: number) => {
    const operations = withdrawing.flatMap(({ withdrawals }): Operation[] =>
      (withdrawals.get(id) ?? []).map(({ instant, sequence }) => ({ instant, sequence, row: undefined })),
    );
    // The usual asset: put once, and still there.
    if (operations.length === 0 && end - start === 1) return;
    for (const row of order.rows.subarray(start, end)) operations.push(put(row));
    const inForce = operations
      .filter(({ sequence }) => sequence < size)
      .sort((a, b) => a.instant - b.instant || a.sequence - b.sequence);
    for (const [at, { row }] of inForce.entries()) {
      if (row !== undefined) setEnd(row, inForce[at + 1]?.instant ?? Number.POSITIVE_INFINITY);
    }
  };
  // Each asset once, however many of its versions are new.
  const isUpdated = new Uint8Array(order.rows.length);
  for (const [part, { columns, withdrawals }] of segments.entries()) {
    if (isKnown[part]) continue;
    for (const [row, id] of columns.ids.entries()) {
      const rank = order.ranks[order.firstRows[part]! + row]!;
      if (isUpdated[rank] === 1) continue;
      const { start, end } = order.placesLike(rank);
      isUpdated.fill(1, start, end);
      update(id, start, end);
    }
    for (const id of withdrawals.keys()) {
      const { start, end } = order.placesOf(id);
      if (start === end || isUpdated[start] === 1) continue;
      isUpdated.fill(1, start, end);
      update(id, start, end);
    }
  }
  return ends;
}
