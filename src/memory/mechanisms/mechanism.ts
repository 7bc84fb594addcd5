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

/**
 * Scores of candidate assets at one anchor: base list first, then whatever memory brings. Dense arrays over the corpus
 * with a list of touched rows, so that a reset costs the candidates, not the corpus.
 */
export class CandidateScores {
  /** [assets] memory signal of a candidate. */
  readonly memory: Float64Array;
  /** [assets] base rank from 1; 0 where the asset is not in the base list. */
  readonly #baseRank: Uint16Array;
  readonly #isCandidate: Uint8Array;
  readonly #touched: Uint32Array;
  #count = 0;
  readonly #idOrder: Uint32Array;
  #selector = new TopSelector(0);

  constructor(idOrder: Uint32Array) {
    const assets = idOrder.length;
    this.#idOrder = idOrder;
    this.memory = new Float64Array(assets);
    this.#baseRank = new Uint16Array(assets);
    this.#isCandidate = new Uint8Array(assets);
    this.#touched = new Uint32Array(assets);
  }

  /** Forgets the last anchor's candidates and takes a base list in. */
  begin(baseRows: Uint32Array): void {
    for (let k = 0; k < this.#count; k++) {
      const row = this.#touched[k]!;
      this.memory[row] = 0;
      this.#baseRank[row] = 0;
      this.#isCandidate[row] = 0;
    }
    this.#count = 0;
    for (let rank = 0; rank < baseRows.length; rank++) {
      this.touch(baseRows[rank]!);
      this.#baseRank[baseRows[rank]!] = rank + 1;
    }
  }

  /** Makes an asset a candidate. */
  touch(row: number): void {
    if (this.#isCandidate[row] === 0) {
      this.#isCandidate[row] = 1;
      this.#touched[this.#count++] = row;
    }
  }

  /** Largest memory signal among the candidates; 0 when there is none. */
  maximum(): number {
    let largest = 0;
    for (let k = 0; k < this.#count; k++) {
      const signal = this.memory[this.#touched[k]!]!;
      if (signal > largest) largest = signal;
    }
    return largest;
  }

  /**
   * Ranks the candidates by 1/base rank + scale * memory (absent from the base list: 0) into `output`: score descending,
   * base rank ascending with absent ones last, asset id ascending.
   */
  rank(scale: number, output: MechanismOutput): void {
    if (this.#selector.capacity !== output.rows.length) this.#selector = new TopSelector(output.rows.length);
    const selector = this.#selector;
    for (let k = 0; k < this.#count; k++) {
      const row = this.#touched[k]!;
      const baseRank = this.#baseRank[row]!;
      const score = (baseRank === 0 ? 0 : 1 / baseRank) + scale * this.memory[row]!;
      selector.push(row, score, mechanismTieKey(baseRank, this.#idOrder[row]!));
    }
    output.length = selector.drain(output.rows, output.scores);
  }
}

/** Deepest base list that the tie key leaves room for. */
export const deepestBaseList = 65_535;

/** Base rank (from 1; 0 = absent) ascending, absent ones last in id order, as one integer for the comparator. */
function mechanismTieKey(baseRank: number, idOrder: number): number {
  return baseRank === 0 ? deepestBaseList + 1 + idOrder : baseRank;
}
