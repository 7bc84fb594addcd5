import { compareCodeUnits } from '../../corpus/corpus.js';
import { firstRowsOf, partOf } from './rowRuns.js';

/** What the order needs of a segment: a number that no other one ever has, and its ids. */
export interface IdColumn {
  readonly id: number;
  /** [size] */
  readonly ids: readonly string[];
}

/**
 * The rows of a list of segments in code-unit order of their ids. Rows are numbered through all segments, in the order of
 * the list. Equal ids, which are never in one snapshot, lie side by side.
 */
export class IdOrder {
  static readonly empty = new IdOrder([], new Uint32Array(0));

  readonly segments: readonly IdColumn[];
  /** [segments] number of each segment's first row. */
  readonly firstRows: readonly number[];
  /** [rows] row numbers by id. */
  readonly rows: Uint32Array;
  /** [rows] place of each row in `rows`. */
  readonly ranks: Uint32Array;

  private constructor(segments: readonly IdColumn[], rows: Uint32Array) {
    this.segments = segments;
    this.rows = rows;
    this.firstRows = firstRowsOf(segments.map(({ ids }) => ids.length));
    const ranks = new Uint32Array(rows.length);
    for (let rank = 0; rank < rows.length; rank++) ranks[rows[rank]!] = rank;
    this.ranks = ranks;
  }

  /**
   * The order of another list of segments. What the two lists share is not sorted again: strings are compared for rows of new
   * segments alone, O(new log all); the rest is one pass over numbers.
   */
  next(segments: readonly IdColumn[]): IdOrder {
    const firstRows = firstRowsOf(segments.map(({ ids }) => ids.length));
    const kept = this.#rowsKept(segments, firstRows);
    const before = new Set(this.segments.map(({ id }) => id));
    const ids: string[] = [];
    const numbers: number[] = [];
    for (const [at, segment] of segments.entries()) {
      if (before.has(segment.id)) continue;
      for (const [row, id] of segment.ids.entries()) {
        ids.push(id);
        numbers.push(firstRows[at]! + row);
      }
    }
    const added = Uint32Array.from(ids.keys()).sort((a, b) => compareCodeUnits(ids[a]!, ids[b]!) || a - b);
    if (added.length === 0) return new IdOrder(segments, kept);
    const idOf = (row: number) => idOfRow(segments, firstRows, row);
    const rows = new Uint32Array(kept.length + added.length);
    let from = 0;
    let at = 0;
    for (const index of added) {
      // What is before the new id goes before it, and equal ids as well.
      let high = kept.length;
      let low = from;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (idOf(kept[middle]!) <= ids[index]!) low = middle + 1;
        else high = middle;
      }
      rows.set(kept.subarray(from, low), at);
      at += low - from;
      from = low;
      rows[at++] = numbers[index]!;
    }
    rows.set(kept.subarray(from), at);
    return new IdOrder(segments, rows);
  }

  idOf(row: number): string {
    return idOfRow(this.segments, this.firstRows, row);
  }

  /** Rows that have an id, as `[start, end)` in `rows`. */
  placesOf(id: string): { start: number; end: number } {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.idOf(this.rows[middle]!) < id) low = middle + 1;
      else high = middle;
    }
    return this.#placesAround(low, low, id);
  }

  /** Rows that have the same id as the one at a place, likewise. */
  placesLike(place: number): { start: number; end: number } {
    return this.#placesAround(place, place + 1, this.idOf(this.rows[place]!));
  }

  #placesAround(start: number, end: number, id: string): { start: number; end: number } {
    while (start > 0 && this.idOf(this.rows[start - 1]!) === id) start--;
    while (end < this.rows.length && this.idOf(this.rows[end]!) === id) end++;
    return { start, end };
  }

  /** The rows of segments that are in the new list as well, by their new numbers, in order. */
  #rowsKept(segments: readonly IdColumn[], firstRows: readonly number[]): Uint32Array {
    const places = new Map(segments.map(({ id }, at) => [id, firstRows[at]!]));
    if (this.segments.every(({ id }, at) => places.get(id) === this.firstRows[at])) return this.rows;
    const gone = 0xff_ff_ff_ff;
    const numbers = new Uint32Array(this.rows.length).fill(gone);
    for (const [at, { id, ids }] of this.segments.entries()) {
      const first = places.get(id);
      if (first === undefined) continue;
      for (let row = 0; row < ids.length; row++) numbers[this.firstRows[at]! + row] = first + row;
    }
    return this.rows.map((row) => numbers[row]!).filter((row) => row !== gone);
  }
}

function idOfRow(segments: readonly IdColumn[], firstRows: readonly number[], row: number): string {
  const at = partOf(firstRows, row);
  return segments[at]!.ids[row - firstRows[at]!]!;
}
