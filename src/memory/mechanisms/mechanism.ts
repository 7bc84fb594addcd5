import { CandidatePool } from '../../retrieval/CandidatePool.js';
import { type RankedBlock, TopSelector } from '../../retrieval/ranking.js';
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
 * with a list of touched rows, so that a reset costs the candidates, not the corpus.
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
  /** Candidates: the base list, then assets in the order in which memory brought them. */
  readonly #rows: Uint32Array;
  #count = 0;
  #largest = 0;
  #pool = new CandidatePool(1);
  #selector = new TopSelector(0);

  constructor(idOrder: Uint32Array) {
    this.#idOrder = idOrder;
    this.#memory = new Float64Array(idOrder.length);
    this.#ties = idOrder.map((order) => deepestBaseList + 1 + order);
    this.#rows = new Uint32Array(idOrder.length);
  }

  /** Forgets the last anchor's candidates and takes a base list in. */
  begin(baseRows: Uint32Array): void {
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k]!;
      this.#memory[row] = 0;
      this.#ties[row] = deepestBaseList + 1 + this.#idOrder[row]!;
    }
    this.#largest = 0;
    this.#count = baseRows.length;
    this.#rows.set(baseRows);
    for (let rank = 0; rank < baseRows.length; rank++) this.#ties[baseRows[rank]!] = rank + 1;
  }

  /** Adds to an asset's memory signal, and makes it a candidate; a signal that underflowed to 0 does neither. */
  add(row: number, signal: number): void {
    if (signal > 0) this.#set(row, this.#memory[row]!, this.#memory[row]! + signal);
  }

  /** Raises an asset's memory signal to `signal` at least, and makes it a candidate; 0 does neither. */
  raise(row: number, signal: number): void {
    const before = this.#memory[row]!;
    if (signal > before) this.#set(row, before, signal);
  }

  /** Largest memory signal among the candidates; 0 when there is none. */
  get largest(): number {
    return this.#largest;
  }

  /**
   * Ranks the candidates by 1/base rank + scale * memory (absent from the base list: 0) into `output`: score descending,
   * base rank ascending with absent ones last, asset id ascending.
   */
  rank(scale: number, output: MechanismOutput): void {
    const depth = output.rows.length;
    if (this.#selector.capacity !== depth) {
      this.#selector = new TopSelector(depth);
      this.#pool = new CandidatePool(depth);
    }
    const pool = this.#pool;
    pool.start(1 + scale * this.#largest);
    for (let k = 0; k < this.#count; k++) {
      const row = this.#rows[k]!;
      const tie = this.#ties[row]!;
      pool.offer(row, (tie <= deepestBaseList ? 1 / tie : 0) + scale * this.#memory[row]!);
    }
    pool.drain(this.#selector, this.#ties);
    output.length = this.#selector.drain(output.rows, output.scores);
  }

  #set(row: number, before: number, signal: number): void {
    // A signal of 0 means that memory has not brought the asset yet; the base list may have.
    if (before === 0 && this.#ties[row]! > deepestBaseList) this.#rows[this.#count++] = row;
    this.#memory[row] = signal;
    if (signal > this.#largest) this.#largest = signal;
  }
}
