/** A Uint32Array that grows by doubling: appends cost O(1) on average. */
export class GrowableUint32Array {
  #items = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#items.length) {
      const grown = new Uint32Array(2 * this.#length);
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#items[this.#length++] = value;
  }

  /** Value at an index below `length`. */
  get(index: number): number {
    return this.#items[index]!;
  }

  /** Replaces the value at an index below `length`. */
  set(index: number, value: number): void {
    this.#items[index] = value;
  }

  /** The values from `start` on; a view that is good until the next append. */
  view(start = 0): Uint32Array {
    return this.#items.subarray(start, this.#length);
  }

  /** The values so far; a copy without spare room. */
  toArray(): Uint32Array {
    return this.#items.slice(0, this.#length);
  }
}
