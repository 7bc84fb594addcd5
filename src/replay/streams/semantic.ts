import { miniBatchKMeans } from '../../clustering/miniBatchKMeans.js';
import type { Points } from '../../clustering/types.js';
import { RandomSource } from '../../random/RandomSource.js';
import type { Stream } from './stream.js';

export interface SemanticOptions {
  /** Clusters; 0 stands for round(sqrt(requests)). */
  readonly clusters: number;
  readonly shortestBurst: number;
  readonly longestBurst: number;
}

/**
 * Semantic bursts (PIT Discovery section 4.2): mini-batch k-means over the vectors of the requests, then runs of 4 to 16
 * requests drawn without replacement from one cluster at a time. A burst's cluster is drawn in proportion to the
 * requests that it has left; a burst ends early when its cluster is used up.
 *
 * It is handed vectors and nothing else, so it cannot look at labels.
 * @param points vectors of the requests, by request index
 */
export async function semanticStream(points: Points, seed: number, options: SemanticOptions): Promise<Stream> {
  const requests = points.count;
  const k = options.clusters || Math.max(1, Math.round(Math.sqrt(requests)));
  const order = new Uint32Array(requests);
  const parameters = { clusters: k, shortestBurst: options.shortestBurst, longestBurst: options.longestBurst };
  const stream = { kind: 'semantic', seed, usesGold: false, clockKind: 'position', order } as const;
  if (requests === 0) return { ...stream, parameters };

  const clustering = await miniBatchKMeans(points, { k, seed });
  const random = new RandomSource(seed, 'stream/semantic');
  const remaining: number[][] = Array.from({ length: clustering.clusters }, () => []);
  for (const [request, cluster] of clustering.labels.entries()) remaining[cluster]!.push(request);
  for (const members of remaining) random.shuffle(members);
  let position = 0;
  while (position < requests) {
    let drawn = random.below(requests - position);
    let cluster = 0;
    while (drawn >= remaining[cluster]!.length) drawn -= remaining[cluster++]!.length;
    const members = remaining[cluster]!;
    const burst = Math.min(members.length, random.between(options.shortestBurst, options.longestBurst));
    for (let i = 0; i < burst; i++) order[position++] = members.pop()!;
  }
  return { ...stream, parameters: { ...parameters, foundClusters: clustering.clusters } };
}
