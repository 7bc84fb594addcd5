import type { RequestVectors } from '../../memory/vectorSimilarity.js';
import type { Stream } from './stream.js';

export function semanticStream(_vectors: RequestVectors, _seed: number, _spec: unknown): Stream {
  throw new Error('pending');
}
