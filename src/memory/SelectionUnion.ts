import { compareRanked } from '../retrieval/ranking.js';
import type { Selection } from './selection.js';

/**
 * What several selections of one anchor hold, each entry once, most similar first; equal similarities by position. Only
 * the first `count` places of the arrays are filled. An entry that two selections disagree on (the same position at
 * another similarity) is held twice.
 */
export class SelectionUnion {
  count = 0;
  /** [places] stream positions. */
  readonly positions: Uint32Array;
  /** [places] */
  readonly similarities: Float64Array;
  /** [places] bit s is set where selection s holds the entry. */
  readonly holders: Uint32Array;
  readonly #next: Uint32Array;

  constructor(selections: number, capacity: number) {
    this.positions = new Uint32Array(selections * capacity);
    this.similarities = new Float64Array(selections * capacity);
    this.holders = new Uint32Array(selections * capacity);
    this.#next = new Uint32Array(selections);
  }

  /** @param selections at most as many as there is room for */
  unite(selections: readonly Selection[]): void {
    const next = this.#next.fill(0);
    for (this.count = 0; ; this.count++) {
      let similarity = 0;
      let position = 0;
      let holders = 0;
      for (let s = 0; s < selections.length; s++) {
        const selection = selections[s]!;
        const at = next[s]!;
        if (at >= selection.count) continue;
        const order =
          holders === 0
            ? -1
            : compareRanked(selection.similarities[at]!, selection.positions[at]!, similarity, position);
        if (order > 0) continue;
        holders = order < 0 ? 1 << s : holders | (1 << s);
        similarity = selection.similarities[at]!;
        position = selection.positions[at]!;
      }
      if (holders === 0) return;
      for (let s = 0; s < selections.length; s++) next[s]! += (holders >>> s) & 1;
      this.positions[this.count] = position;
      this.similarities[this.count] = similarity;
      this.holders[this.count] = holders;
    }
  }
}
