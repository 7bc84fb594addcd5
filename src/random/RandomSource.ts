import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';
import { sha256 } from '../commitment/sha256.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';

const twoTo32 = 2 ** 32;
const twoToMinus32 = 2 ** -32;
const largestExactBound = 2 ** 21;

/**
 * A seeded source of random numbers: xoroshiro128+ of `pure-rand`, started from SHA-256(`purpose/seed`).
 *
 * The purpose keeps the draws of one place apart from those of another under the same seed, so that adding a draw here
 * moves nothing there. Drawing methods are written out, rather than taken from the library's distributions, because a
 * bootstrap draws tens of millions of indices.
 */
export class RandomSource {
  readonly #generator: RandomGenerator;

  /**
   * @param seed any integer that a double holds exactly
   * @param purpose names the place that draws, for example `stream/random`
   */
  constructor(seed: number, purpose: string) {
    if (!Number.isSafeInteger(seed)) {
      throw new InvalidArgumentError({ argument: 'seed', value: seed, expected: 'an integer' });
    }
    this.#generator = xoroshiro128plus(sha256(`${purpose}/${seed}`).readInt32LE(0));
    // The generator's first state holds 32 bits of entropy in 128: let it mix before the first draw that counts.
    for (let i = 0; i < 32; i++) this.#generator.next();
  }

  /** Uniform in 0..2^32-1. */
  uint32(): number {
    return this.#generator.next() >>> 0;
  }

  /** Uniform integer in 0..bound-1 without bias: multiply-high with rejection (Lemire 2019), for bound up to 2^21. */
  below(bound: number): number {
    if (!Number.isInteger(bound) || bound < 1 || bound > largestExactBound) {
      throw new InvalidArgumentError({ argument: 'bound', value: bound, expected: 'an integer in 1..2097152' });
    }
    for (;;) {
      const product = this.uint32() * bound;
      const high = Math.floor(product * twoToMinus32);
      const low = product - high * twoTo32;
      if (low >= bound || low >= twoTo32 % bound) return high;
    }
  }

  /** Uniform integer in low..high, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** Uniform in [0, 1) with 53 random bits. */
  unit(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 2 ** 26 + low) * 2 ** -53;
  }

  /** Fisher-Yates shuffle in place; returns the array. */
  shuffle<T extends Uint32Array | unknown[]>(array: T): T {
    const items: { [index: number]: unknown; readonly length: number } = array;
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = items[i];
      items[i] = items[j];
      items[j] = held;
    }
    return array;
  }
}
