import { NonFiniteScoreError } from '../../errors/NonFiniteScoreError.js';
import { BucketSelector } from '../../retrieval/BucketSelector.js';
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

/** What several views of one anchor selected: every entry once, in an order that each view's own entries keep. */
export interface ViewsInput extends MechanismInput {
  /** [entryCount] bit v is set where view v selected the entry. */
  readonly entryViews: Uint32Array;
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
  /**
   * Ranks for as many views of one anchor as there are outputs, eight at most: to the bit what `rank` gives for each. For
   * mechanisms that have work to share among views; without it, `rank` is called for each.
   */
  rankViews?(input: ViewsInput, outputs: readonly MechanismOutput[]): void;
}

/** Deepest base list that a tie key leaves room for. */
export const deepestBaseList = 65_535;

/**
 * Scores of candidate assets at one anchor: base list first, then whatever memory brings. Dense arrays over the corpus
 * with a list of candidates, so that an anchor costs its candidates, not the corpus.
 *
 * In order: `begin`, then `addList` or `raise` any number of times, `collect`, `rank`.
 */
export class CandidateScores {
  /** [assets] memory signal of each asset, 0 or more; all 0 between anchors. */
  readonly #memory: Float64Array;
  /** [assets] 1 where the asset is not a candidate yet, else 0; all 1 between anchors. */
  readonly #isNew: Uint8Array;
  /** [assets] the comparator's tie key: base rank from 1 ascending, then those absent from the base list in id order. */
  readonly #ties: Uint32Array;
  readonly #idOrder: Uint32Array;
  /** Candidates: the base list, then assets in the order in which memory brought them; one place to spare. */
  readonly #rows: Uint32Array;
  #baseCount = 0;
  #count = 0;
  /** [candidates] memory signals once they are collected, then scores. */
  readonly #scores: Float64Array;
  readonly #selector = new BucketSelector();

  constructor(idOrder: Uint32Array) {
    const assets = idOrder.length;
    this.#idOrder = idOrder;
    this.#memory = new Float64Array(assets);
    this.#isNew = new Uint8Array(assets).fill(1);
    this.#ties = idOrder.map((order) => deepestBaseList + 1 + order);
    this.#rows = new Uint32Array(assets + 1);
    this.#scores = new Float64Array(assets);
  }

  /** Takes in the base list of the next anchor. */
  begin(baseRows: Uint32Array): void {
    const rows = this.#rows;
    const ties = this.#ties;
    for (let rank = 0; rank < this.#baseCount; rank++) {
      ties[rows[rank]!] = deepestBaseList + 1 + this.#idOrder[rows[rank]!]!;
    }
    rows.set(baseRows);
    for (let rank = 0; rank < baseRows.length; rank++) {
      this.#isNew[baseRows[rank]!] = 0;
      ties[baseRows[rank]!] = rank + 1;
    }
    this.#baseCount = baseRows.length;
    this.#count = baseRows.length;
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

  /** Collects the candidates' memory signals, leaves the dense arrays clean, and returns the largest signal, 0 when there is none. */
  collect(): number {
    const rows = this.#rows;
    const memory = this.#memory;
    const isNew = this.#isNew;
    const scores = this.#scores;
    const count = this.#count;
    let largest = 0;
    for (let k = 0; k < count; k++) {
      const row = rows[k]!;
      const signal = memory[row]!;
      scores[k] = signal;
      memory[row] = 0;
      isNew[row] = 1;
      if (signal > largest) largest = signal;
    }
    return largest;
  }

  /**
   * Ranks the candidates by 1/base rank + scale * memory (absent from the base list: 0) into `output`: score descending,
   * base rank ascending with absent ones last, asset id ascending.
   * @param largest as of `collect()`
   * @throws NonFiniteScoreError when scale * memory is beyond the range of numbers
   */
  rank(scale: number, largest: number, output: MechanismOutput): void {
    const largestScore = requireFiniteScore(scale, largest);
    const scores = this.#scores;
    const count = this.#count;
    const baseCount = this.#baseCount;
    for (let k = 0; k < baseCount; k++) scores[k] = 1 / (k + 1) + scale * scores[k]!;
    for (let k = baseCount; k < count; k++) scores[k] = scale * scores[k]!;
    if (largest === 0 && count === baseCount) {
      // Memory brought nothing: the base list is in order.
      output.length = Math.min(count, output.rows.length);
      output.rows.set(this.#rows.subarray(0, output.length));
      output.scores.set(scores.subarray(0, output.length));
      return;
    }
    output.length = this.#selector.select(
      this.#rows,
      scores,
      count,
      output.rows.length,
      largestScore,
      this.#ties,
      output.rows,
      output.scores,
    );
  }
}

/**
 * The largest score that a candidate can have, 1 + scale * largest.
 * @throws NonFiniteScoreError when that is beyond the range of numbers
 */
export function requireFiniteScore(scale: number, largest: number): number {
  const score = 1 + scale * largest;
  if (!Number.isFinite(score)) {
    throw new NonFiniteScoreError({ source: 'memory', item: 'the strongest candidate', score });
  }
  return score;
}
