import type { Selection } from './selection.js';

/**
 * The Naive condition (PIT Discovery section 4.5): memory pre-materialised from the full stream, then looked up. It is
 * what a careless replay does, and the control for the replay itself: its lookups must equal the Future view.
 *
 * It shares no code with the views on purpose. For a request it keeps a list of the `capacity + 1` most similar events of
 * the whole log by insertion, its own event among them; a lookup drops that one.
 */
export class NaiveMemory {
  readonly #positionOf: Uint32Array;
  readonly #capacity: number;
  /** [capacity + 1] */
  readonly #positions: Uint32Array;
  readonly #similarities: Float64Array;
  #count = 0;

  /** @param positionOf [events] request index -> position */
  constructor(positionOf: Uint32Array, capacity: number) {
    this.#positionOf = positionOf;
    this.#capacity = capacity;
    this.#positions = new Uint32Array(capacity + 1);
    this.#similarities = new Float64Array(capacity + 1);
  }

  /** @param similarities [requests] of the request to every request, by request index */
  materialise(similarities: Float64Array): void {
    const keep = this.#capacity + 1;
    const positions = this.#positions;
    const best = this.#similarities;
    let count = 0;
    let least = 0;
    for (let request = 0; request < similarities.length; request++) {
      const similarity = similarities[request]!;
      if (similarity <= 0 || similarity < least) continue;
      const position = this.#positionOf[request]!;
      const isFull = count === keep;
      if (isFull && best[keep - 1] === similarity && positions[keep - 1]! < position) continue;
      // A full list drops its last.
      let place = isFull ? keep - 1 : count++;
      while (
        place > 0 &&
        (best[place - 1]! < similarity || (best[place - 1] === similarity && positions[place - 1]! > position))
      ) {
        best[place] = best[place - 1]!;
        positions[place] = positions[place - 1]!;
        place--;
      }
      best[place] = similarity;
      positions[place] = position;
      if (count === keep) least = best[keep - 1]!;
    }
    this.#count = count;
  }

  /** Looks up the materialised memory of the request at `position`, its own event excluded. */
  lookup(position: number, into: Selection): void {
    let count = 0;
    for (let k = 0; k < this.#count && count < this.#capacity; k++) {
      if (this.#positions[k] === position) continue;
      into.positions[count] = this.#positions[k]!;
      into.similarities[count] = this.#similarities[k]!;
      count++;
    }
    into.count = count;
  }
}
