const hashBytes = 32;
const hashesInChunk = 1024;

/**
 * A growing list of 32-byte hashes in chunks of 32 KiB: no object per hash, and no copy of what is there when it grows.
 */
export class HashColumn {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A column of its own with the first `length` hashes. What is full is shared: it never changes. */
  prefix(length: number): HashColumn {
    if (length > this.#length) throw new RangeError(`prefix of ${length} of ${this.#length} hashes`);
    const column = new HashColumn();
    const whole = Math.floor(length / hashesInChunk);
    column.#chunks.push(...this.#chunks.slice(0, whole));
    if (length % hashesInChunk > 0) column.#chunks.push(Buffer.from(this.#chunks[whole]!));
    column.#length = length;
    return column;
  }

  /** @param hash 32 bytes; copied */
  push(hash: Uint8Array): void {
    if (hash.length !== hashBytes) throw new RangeError(`a hash of ${hash.length} bytes, expected ${hashBytes}`);
    const offset = this.#length % hashesInChunk;
    if (offset === 0) this.#chunks.push(Buffer.allocUnsafe(hashBytes * hashesInChunk));
    this.#chunks.at(-1)!.set(hash, offset * hashBytes);
    this.#length++;
  }

  /** The hash at `index`; a view, not a copy. */
  at(index: number): Buffer {
    const chunk = this.#chunks[Math.floor(index / hashesInChunk)];
    if (chunk === undefined || index >= this.#length) throw new RangeError(`hash ${index} of ${this.#length}`);
    const start = (index % hashesInChunk) * hashBytes;
    return chunk.subarray(start, start + hashBytes);
  }
}
