import { RandomSource } from '../../../random/RandomSource.js';

/** xoshiro128+ 1.0 of Blackman and Vigna, one generator: the twin of one lane of resample.wat. */
export class Xoshiro128Plus {
  readonly #state: Uint32Array;

  constructor(state: Uint32Array) {
    this.#state = state.slice();
  }

  next(): number {
    const s = this.#state;
    const random = (s[0]! + s[3]!) >>> 0;
    const shifted = s[1]! << 9;
    s[2]! ^= s[0]!;
    s[3]! ^= s[1]!;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= shifted;
    s[3] = (s[3]! << 11) | (s[3]! >>> 21);
    return random;
  }
}

/**
 * Rows drawn for each resample, [resamples][rows]: the rule of resample.wat, one draw after another. Where two row
 * numbers come of one random number, that number counts in base `rows`: its first digit, then its second.
 */
export function slowResamples(rows: number, options: { resamples: number; seed: number; purpose: string }): number[][] {
  const random = new RandomSource(options.seed, options.purpose);
  const words = Uint32Array.from({ length: 16 }, () => random.uint32());
  const generators = [0, 1, 2, 3].map(
    (lane) => new Xoshiro128Plus(Uint32Array.from({ length: 4 }, (_, word) => words[word * 4 + lane]!)),
  );
  const digits = rows <= 16384 ? 2 : 1;
  const range = BigInt(rows) ** BigInt(digits);
  const twoTo32 = 1n << 32n;
  const resamples: number[][] = [];
  while (resamples.length < options.resamples) {
    const block: number[][] = [[], [], [], []];
    while (block[0]!.length < rows) {
      const products = generators.map((generator) => BigInt(generator.next()) * range);
      if (products.some((product) => product % twoTo32 < twoTo32 % range)) continue;
      for (const [lane, product] of products.entries()) {
        const value = Number(product / twoTo32);
        block[lane]!.push(...(digits === 2 ? [Math.floor(value / rows), value % rows] : [value]));
      }
    }
    resamples.push(...block.map((draws) => draws.slice(0, rows)));
  }
  return resamples.slice(0, options.resamples);
}
