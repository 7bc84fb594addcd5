import { CandidatePool } from '../../retrieval/CandidatePool.js';
import type { RankedBlock } from '../../retrieval/ranking.js';
import type { EventReads } from '../eventLog.js';

/** Everything a mechanism may use to rank at one anchor. Arrays are read only. */
export interface MechanismInput {
  /** Base list of the anchor's request: corpus rows, best first. */
  readonly baseRows: Uint32Array;
  /** Number of selected memory entries. */
  readonly entryCount: number;
  /** [entryCount] request index of each entry, most similar first. */
  readonly entryRequests: Uint32Array;
  /** [entryCount] similarity of each entry's request to the anchor, above 0. */
  readonly entrySimilarities: Float64Array;
  /** Rows of the snapshot at the anchor: an asset with a row at or beyond this was not yet available. */
  readonly visibleRows: number;
}

/** A ranking as a mechanism leaves it. Only the first `length` places of the arrays are filled. */
export interface MechanismOutput {
  length: number;
  /** [outputDepth] corpus rows, best first. */
  readonly rows: Uint32Array;
  /** [outputDepth] scores, descending. */
  readonly scores: Float64Array;
}

export function newMechanismOutput(outputDepth: number): MechanismOutput {
  return { length: 0, rows: new Uint32Array(outputDepth), scores: new Float64Array(outputDepth) };
}

/** What a mechanism is built on: the shared event log's traces and the corpus's tie order. */
export interface MechanismContext {
  /** Fixed base retriever's lists by request index. */
  readonly traces: RankedBlock;
  /** d: how many entries of a trace are read. */
  readonly traceDepth: number;
  /** [assets] id order, the last tie-breaker. */
  readonly idOrder: Uint32Array;
}

/**
 * A memory mechanism: `(anchor, selected entries, base list) -> ranking`, deterministic given its input (PIT Discovery
 * section 3.4). The replay decides what is selected; the mechanism never learns which condition it serves.
 * `mechanismContract` in `src/memory/testing` is the suite that every mechanism passes.
 */
export interface MemoryMechanism {
  readonly name: string;
  readonly version: string;
  /** True for an oracle that reads relevance labels in place of clicks; recorded with every row. */
  readonly usesGold: boolean;
  readonly reads: EventReads;
  /** Parameters as recorded in the manifest and bound by the model hash. */
  readonly parameters: Readonly<Record<string, number | string>>;
  /** Ranks for one anchor into `output`, at most as many as it has room for. With no entries: the base list. */
  rank(input: MechanismInput, output: MechanismOutput): void;
}

/** Deepest base list that a tie key leaves room for. */
export const deepestBaseList = 65_535;

/**
 * Scores of candidate assets at one anchor: base list first, then whatever memory brings. Dense arrays over the corpus
 * with a list of candidates, so that a reset costs the candidates, not the corpus.
 */
export class CandidateScores {
  /** [assets] memory signal of each asset, 0 or more. */
  readonly #memory: Float64Array;
  /**
   * [assets] the comparator's tie key: base rank from 1 ascending, then those absent from the base list in id order. At
   * most `deepestBaseList` exactly for the assets of the base list.
   */
  readonly #ties: Uint32Array;
  readonly #idOrder: Uint32Array;
  /** [assets] 1 where the asset is not a candidate yet, else 0. */
  readonly #isNew: Uint8Array;
  /** Candidates: the base list, then assets in the order in which memory brought them; one place to spare. */
  readonly #rows: Uint32Array;
  #count = 0;
  #pool = new CandidatePool(1);
  #depth = 1;

  constructor(idOrder: Uint32Array) {
    const assets = idOrder.length;
    this.#idOrder = idOrder;
    this.#memory = new Float64Array(assets);
    this.#ties = idOrder.map((order) => deepestBaseList + 1 + order);
    this.#isNew = new Uint8Array(assets).fill(1);
    this.#rows = new Uint32Array(assets + 1);
  }

  /** Forgets the last anchor's candidates and takes a base list in. */
  begin(baseRows: Uint32Array): void {
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k]!;
      this.#memory[row] = 0;
      this.#isNew[row] = 1;
      this.#ties[row] = deepestBaseList + 1 + this.#idOrder[row]!;
    }
    this.#count = baseRows.length;
    this.#rows.set(baseRows);
    for (let rank = 0; rank < baseRows.length; rank++) {
      this.#isNew[baseRows[rank]!] = 0;
      this.#ties[baseRows[rank]!] = rank + 1;
    }
  }

  /**
   * Adds to the memory signals of assets 0 to `count - 1` of a list, and makes them candidates: `gain / divisors[rank]`
   * to the one at 0-based rank `rank`.
   * @param visibleRows assets with a row at or beyond this are passed over: they were not yet available
   */
  addList(list: Uint32Array, count: number, gain: number, divisors: Float64Array, visibleRows: number): void {
    const memory = this.#memory;
    const isNew = this.#isNew;
    const rows = this.#rows;
    let candidates = this.#count;
    for (let rank = 0; rank < count; rank++) {
      const row = list[rank]!;
      if (row >= visibleRows) continue;
      // Written always, counted when new: a branch here would be mispredicted at every other asset.
      rows[candidates] = row;
      candidates += isNew[row]!;
      isNew[row] = 0;
      memory[row]! += gain / divisors[rank]!;
    }
    this.#count = candidates;
  }

  /** Raises an asset's memory signal to `signal` at least, and makes it a candidate. */
  raise(row: number, signal: number): void {
    this.#rows[this.#count] = row;
    this.#count += this.#isNew[row]!;
    this.#isNew[row] = 0;
    if (signal > this.#memory[row]!) this.#memory[row] = signal;
  }

  /** Largest memory signal among the candidates; 0 when there is none. */
  largest(): number {
    let largest = 0;
    for (let k = 0; k < this.#count; k++) {
      const signal = this.#memory[this.#rows[k]!]!;
      if (signal > largest) largest = signal;
    }
    return largest;
  }

  /**
   * Ranks the candidates by 1/base rank + scale * memory (absent from the base list: 0) into `output`: score descending,
   * base rank ascending with absent ones last, asset id ascending.
   * @param largest as of `largest()`
   */
  rank(scale: number, largest: number, output: MechanismOutput): void {
    if (this.#depth !== output.rows.length) {
      this.#depth = output.rows.length;
      this.#pool = new CandidatePool(this.#depth);
    }
    const pool = this.#pool;
    pool.start(1 + scale * largest);
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k]!;
      const tie = this.#ties[row]!;
      pool.offer(row, (tie <= deepestBaseList ? 1 / tie : 0) + scale * this.#memory[row]!);
    }
    output.length = pool.drain(this.#ties, output.rows, output.scores);
  }
}
