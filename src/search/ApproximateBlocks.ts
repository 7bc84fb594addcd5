import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { newSha256 } from '../commitment/sha256.js';
import { littleEndianBytes } from '../commitment/typedArrayBytes.js';
import { ApproximateIndex, graphParameters } from '../retrieval/dense/ApproximateIndex.js';
import type { DenseIndex } from '../retrieval/dense/DenseIndex.js';
import { newRankedBlock, type RankedBlock, TopSelector } from '../retrieval/ranking.js';
import type { SegmentRows } from '../store/workspace/segmentRows.js';
import type { Instant } from '../time/instant.js';

/** Fewest rows that a block proposes; more cost little and find more. */
const fewestProposed = 64;

export interface ApproximateSources {
  readonly segments: readonly SegmentRows[];
  /** [segments] */
  readonly firstRows: readonly number[];
  /** [segments] vectors; undefined where a segment has none yet, whose rows then take no part. */
  readonly indexes: readonly (DenseIndex | undefined)[];
  /** [rows] rank of each row's id. */
  readonly idOrder: Uint32Array;
  readonly embedderHash: string;
  /** Where graphs are kept, named by what they are made of. */
  readonly folder: string;
  readonly blockRows: number;
}

/**
 * Approximate search that stays honest. A graph that holds a row of later than t leads a search as of t by other ways, even
 * if the row itself is left out. So all rows are put in the order of availability and cut into blocks of one size; each
 * full block has a graph of its own, and a search as of t takes the graphs of the blocks that were whole by t. The rest, the
 * open block, is scanned exactly. Blocks depend on what was available by their end, and neither on later rows nor on how
 * the log was cut into segments. What graphs propose is scored exactly.
 */
export class ApproximateBlocks {
  readonly #sources: ApproximateSources;
  /** [rankable rows] rows of all segments, by availability, then id. */
  readonly #order: Uint32Array;
  /** Segment of each row of `#order`. */
  readonly #segments: Uint32Array;
  readonly #graphs = new Map<number, Promise<ApproximateIndex>>();

  constructor(sources: ApproximateSources) {
    const { segments, firstRows, indexes, idOrder } = sources;
    this.#sources = sources;
    const rows: number[] = [];
    const owners: number[] = [];
    for (const [owner, { size, availableAt, endsAt }] of segments.entries()) {
      for (let row = 0; row < size; row++) {
        // What was replaced in the same instant was never current, and has no vector that could be found.
        if (endsAt[row]! <= availableAt[row]! || !indexes[owner]?.hasDirection(row)) continue;
        rows.push(firstRows[owner]! + row);
        owners.push(owner);
      }
    }
    const clock = (at: number) => segments[owners[at]!]!.availableAt[rows[at]! - firstRows[owners[at]!]!]!;
    const order = Uint32Array.from(rows.keys()).sort(
      (a, b) => clock(a) - clock(b) || idOrder[rows[a]!]! - idOrder[rows[b]!]!,
    );
    this.#order = order.map((at) => rows[at]!);
    this.#segments = order.map((at) => owners[at]!);
  }

  /**
   * The nearest rows as of t, by exact cosine.
   *
   * @param query [dimension], not zero
   * @param isOut whether a row must not be returned
   */
  async search(query: Float32Array, t: Instant, depth: number, isOut: (row: number) => boolean): Promise<RankedBlock> {
    const { blockRows } = this.#sources;
    const available = this.#availableBy(t);
    const whole = Math.floor(available / blockRows);
    const chosen: number[] = [];
    for (let block = 0; block < whole; block++) {
      const graph = await this.#graph(block);
      const first = block * blockRows;
      for (let count = Math.max(fewestProposed, 2 * depth); ; count *= 2) {
        const proposed = graph.search(query, count).map((number) => first + number);
        const kept = proposed.filter((at) => !isOut(this.#order[at]!));
        if (kept.length < Math.min(depth, count / 2) && count < blockRows) continue;
        chosen.push(...kept);
        break;
      }
    }
    for (let at = whole * blockRows; at < available; at++) if (!isOut(this.#order[at]!)) chosen.push(at);
    return this.#scoreExactly(query, chosen, depth);
  }

  #scoreExactly(query: Float32Array, chosen: readonly number[], depth: number): RankedBlock {
    const { segments, firstRows, indexes, idOrder } = this.#sources;
    const bySegment: number[][] = segments.map(() => []);
    for (const at of chosen) {
      const owner = this.#segments[at]!;
      bySegment[owner]!.push(this.#order[at]! - firstRows[owner]!);
    }
    const capacity = Math.min(depth, Math.max(1, chosen.length));
    const selector = new TopSelector(capacity);
    for (const [owner, own] of bySegment.entries()) {
      const rows = Uint32Array.from(own);
      if (rows.length === 0) continue;
      const scores = indexes[owner]!.score(query, rows);
      for (const [at, row] of rows.entries()) {
        const global = firstRows[owner]! + row;
        selector.push(global, scores[at]!, idOrder[global]!);
      }
    }
    const block = newRankedBlock(1, capacity);
    block.lengths[0] = selector.drain(block.rows, block.scores);
    return block;
  }

  /** Rows available by t: a prefix of the order. */
  #availableBy(t: Instant): number {
    const { segments, firstRows } = this.#sources;
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const owner = this.#segments[middle]!;
      if (segments[owner]!.availableAt[this.#order[middle]! - firstRows[owner]!]! <= t) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #graph(block: number): Promise<ApproximateIndex> {
    let graph = this.#graphs.get(block);
    if (graph === undefined) {
      graph = this.#makeGraph(block);
      this.#graphs.set(block, graph);
    }
    return graph;
  }

  async #makeGraph(block: number): Promise<ApproximateIndex> {
    const { firstRows, indexes, embedderHash, folder, blockRows } = this.#sources;
    const { dimension } = indexes[this.#segments[block * blockRows]!]!;
    const matrix = new Float32Array(blockRows * dimension);
    for (let number = 0; number < blockRows; number++) {
      const at = block * blockRows + number;
      const owner = this.#segments[at]!;
      matrix.set(indexes[owner]!.vector(this.#order[at]! - firstRows[owner]!), number * dimension);
    }
    const digest = newSha256()
      .update(JSON.stringify(['approximate/1', embedderHash, graphParameters, dimension]))
      .update(littleEndianBytes(matrix))
      .digest('hex');
    const file = path.join(folder, `${digest}.usearch`);
    const known = await ApproximateIndex.load(file, dimension, blockRows);
    if (known !== undefined) return known;
    const built = await ApproximateIndex.build(matrix, dimension);
    await mkdir(folder, { recursive: true });
    await built.save(file);
    return built;
  }
}
