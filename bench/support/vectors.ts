import { scaleRowsToUnitLength } from '#asof/embedding/unitRows.js';
import { RandomSource } from '#asof/random/RandomSource.js';

/** Unit vectors scattered around 300 topics, as embeddings of a collection are. Equal seeds give equal vectors. */
export function topicalVectors(count: number, dimension: number, seed: number): Float32Array {
  const topicSource = new RandomSource(7, 'bench/topics');
  const topics = Array.from({ length: 300 }, () =>
    Float32Array.from({ length: dimension }, () => topicSource.unit() - 0.5),
  );
  const random = new RandomSource(seed, 'bench/vectors');
  const vectors = new Float32Array(count * dimension);
  for (let row = 0; row < count; row++) {
    const topic = topics[random.below(topics.length)]!;
    for (let i = 0; i < dimension; i++) vectors[row * dimension + i] = topic[i]! + 1.5 * (random.unit() - 0.5);
  }
  scaleRowsToUnitLength(vectors, dimension);
  return vectors;
}
