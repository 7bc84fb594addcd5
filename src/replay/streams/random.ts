import { RandomSource } from '../../random/RandomSource.js';
import type { Stream } from './stream.js';

/** Seeded permutation: diffuse access (PIT Discovery section 4.2). */
export function randomStream(requests: number, seed: number): Stream {
  const order = new RandomSource(seed, 'stream/random').shuffle(Uint32Array.from({ length: requests }, (_, i) => i));
  return { kind: 'random', seed, usesGold: false, clockKind: 'position', order, parameters: {} };
}
