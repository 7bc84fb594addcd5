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
  readonly #positions: number[] = [];
  readonly #similarities: number[] = [];

  /** @param positionOf [events] request index -> position */
  constructor(positionOf: Uint32Array, capacity: number) {
    this.#positionOf = positionOf;
    this.#capacity = capacity;
  }

  /** @param similarities [requests] of the request to every request, by request index */
  materialise(similarities: Float64Array): void {
    const keep = this.#capacity + 1;
    const positions = this.#positions;
    const best = this.#similarities;
    positions.length = 0;
    best.length = 0;
    let least = 0;
    for (let request = 0; request < similarities.length; request++) {
      const similarity = similarities[request]!;
      if (similarity <= 0 || similarity < least) continue;
      const position = this.#positionOf[request]!;
      let place = best.length;
      while (
        place > 0 &&
        (best[place - 1]! < similarity || (best[place - 1] === similarity && positions[place - 1]! > position))
      )
        place--;
      if (place === keep) continue;
      best.splice(place, 0, similarity);
      positions.splice(place, 0, position);
      if (best.length > keep) {
        best.pop();
        positions.pop();
      }
      if (best.length === keep) least = best[keep - 1]!;
    }
  }

  /** Looks up the materialised memory of the request at `position`, its own event excluded. */
  lookup(position: number, into: Selection): void {
    let count = 0;
    for (let k = 0; k < this.#positions.length && count < this.#capacity; k++) {
      if (this.#positions[k] === position) continue;
      into.positions[count] = this.#positions[k]!;
      into.similarities[count] = this.#similarities[k]!;
      count++;
    }
    into.count = count;
  }
}
