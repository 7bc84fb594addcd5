import { withRoom } from './growable.js';

const chunkBytes = 2 ** 24;
const wideBit = 0x8000_0000;
/** Longest id in UTF-16 code units. */
export const longestId = 65_535;

/**
 * Numbers ids 0, 1, 2, ... in the order in which they are first met, and gives the id of a number back.
 *
 * A map from strings would cost about 100 bytes an id, trouble the garbage collector with each, and hold at most 2^24
 * of them. This is an open-addressing hash table over typed arrays: about 20 to 30 bytes an id, and its text in one byte
 * a code unit (two where a unit is above U+00FF). Room for 4 GiB of text. What is read together lies together, since
 * a look-up in a large table is mostly waiting for memory.
 */
export class IdTable {
  #size = 0;
  /** Text of all ids, end to end; no id straddles two chunks. */
  readonly #chunks: Buffer[] = [];
  #nextByte = 0;
  /**
   * [size, 2] where the text of an id starts (chunk number * chunkBytes + offset), and its code units, with `wideBit`
   * when each takes two bytes.
   */
  #texts = new Uint32Array(0);
  /** [power of two, 2] id number + 1 (0 is free), and the hash of the id. At most three quarters are taken. */
  #slots = new Uint32Array(2 * 16);

  get size(): number {
    return this.#size;
  }

  /** Number of the id, which becomes the next one when it is new. `id` has at most `longestId` code units. */
  intern(id: string): number {
    const hash = hashOf(id);
    const slot = this.#slotOf(id, hash);
    const found = this.#slots[slot]!;
    if (found !== 0) return found - 1;
    if (id.length > longestId) throw new RangeError(`an id of ${id.length} code units, at most ${longestId}`);
    const number = this.#size++;
    this.#texts = withRoom(this.#texts, this.#size * 2);
    this.#store(number, id);
    this.#slots[slot] = number + 1;
    this.#slots[slot + 1] = hash;
    // Two numbers a slot: size / (length / 2) > 3 / 4.
    if (this.#size * 8 > this.#slots.length * 3) this.#growSlots();
    return number;
  }

  /** Number of the id, or -1 when it was never interned. */
  find(id: string): number {
    return this.#slots[this.#slotOf(id, hashOf(id))]! - 1;
  }

  /** The id of a number in 0..size-1. */
  idOf(number: number): string {
    const start = this.#texts[number * 2]!;
    const length = this.#texts[number * 2 + 1]!;
    const chunk = this.#chunks[Math.floor(start / chunkBytes)]!;
    const offset = start % chunkBytes;
    return isWide(length)
      ? chunk.toString('utf16le', offset, offset + (length - wideBit) * 2)
      : chunk.toString('latin1', offset, offset + length);
  }

  /** Index in `#slots` of the pair that holds the id, or of the free one where it belongs. */
  #slotOf(id: string, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const taken = slots[slot * 2]!;
      if (taken === 0 || (slots[slot * 2 + 1] === hash && this.#equals(taken - 1, id))) return slot * 2;
    }
  }

  #equals(number: number, id: string): boolean {
    const stored = this.#texts[number * 2 + 1]!;
    const wide = isWide(stored);
    if ((wide ? stored - wideBit : stored) !== id.length) return false;
    const start = this.#texts[number * 2]!;
    const chunk = this.#chunks[Math.floor(start / chunkBytes)]!;
    let at = start % chunkBytes;
    if (wide) {
      for (let i = 0; i < id.length; i++, at += 2) if (chunk.readUInt16LE(at) !== id.charCodeAt(i)) return false;
    } else {
      for (let i = 0; i < id.length; i++, at++) if (chunk[at] !== id.charCodeAt(i)) return false;
    }
    return true;
  }

  #store(number: number, id: string): void {
    const wide = hasWideUnit(id);
    const bytes = wide ? id.length * 2 : id.length;
    // One byte early, so that even an empty text starts inside a chunk.
    if (this.#nextByte + bytes >= this.#chunks.length * chunkBytes) {
      this.#nextByte = this.#chunks.length * chunkBytes;
      if (this.#nextByte >= 2 ** 32) throw new RangeError('more than 4 GiB of ids');
      this.#chunks.push(Buffer.allocUnsafe(chunkBytes));
    }
    const offset = this.#nextByte % chunkBytes;
    this.#chunks.at(-1)!.write(id, offset, wide ? 'utf16le' : 'latin1');
    this.#texts[number * 2] = this.#nextByte;
    this.#texts[number * 2 + 1] = wide ? id.length + wideBit : id.length;
    this.#nextByte += bytes;
  }

  #growSlots(): void {
    const old = this.#slots;
    const slots = new Uint32Array(old.length * 2);
    const mask = old.length - 1;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at] === 0) continue;
      const hash = old[at + 1]!;
      let slot = hash & mask;
      while (slots[slot * 2] !== 0) slot = (slot + 1) & mask;
      slots[slot * 2] = old[at]!;
      slots[slot * 2 + 1] = hash;
    }
    this.#slots = slots;
  }
}

function isWide(length: number): boolean {
  return length >= wideBit;
}

function hasWideUnit(id: string): boolean {
  for (let i = 0; i < id.length; i++) if (id.charCodeAt(i) > 0xff) return true;
  return false;
}

/** FNV-1a over code units, then the finaliser of MurmurHash3, which spreads ids that differ in their last digits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
