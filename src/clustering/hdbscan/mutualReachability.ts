import { squaredDistance } from '../squaredDistance.js';
import type { Points } from '../types.js';

/** Edge of a spanning tree. */
export interface TreeEdge {
  readonly from: number;
  readonly to: number;
  /** Mutual reachability distance of the two. */
  readonly distance: number;
}

/**
 * Core distances: from each point to its `neighbours`-th nearest, itself counted as the first (Campello, Moulavi and
 * Sander 2013, definition 1).
 *
 * @returns [points]; the distance to the farthest point where there are fewer points than neighbours
 */
export function coreDistances(points: Points, neighbours: number): Float64Array {
  const { matrix, count, dimension } = points;
  const rank = Math.min(neighbours, count) - 1;
  const row = new Float64Array(count);
  return Float64Array.from({ length: count }, (_, point) => {
    for (let other = 0; other < count; other++) {
      row[other] = squaredDistance(matrix, point * dimension, matrix, other * dimension, dimension);
    }
    return Math.sqrt(row.sort()[rank]!);
  });
}

/**
 * Minimum spanning tree of the mutual reachability graph, in which two points are max(core, core, distance) apart, by
 * Prim's algorithm: distances are measured when they are wanted, so that memory is linear in the points. Of equal edges
 * the one to the lowest point comes first.
 *
 * @returns points - 1 edges, in the order in which they joined
 */
export function minimumSpanningTree(points: Points, cores: Float64Array): TreeEdge[] {
  const { matrix, count, dimension } = points;
  const distances = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const sources = new Uint32Array(count);
  const joined = new Uint8Array(count);
  const edges: TreeEdge[] = [];
  let current = 0;
  for (let left = count - 1; left > 0; left--) {
    joined[current] = 1;
    let next = -1;
    for (let point = 0; point < count; point++) {
      if (joined[point] === 1) continue;
      const square = squaredDistance(matrix, current * dimension, matrix, point * dimension, dimension);
      const distance = Math.max(Math.sqrt(square), cores[current]!, cores[point]!);
      if (distance < distances[point]!) {
        distances[point] = distance;
        sources[point] = current;
      }
      if (next < 0 || distances[point]! < distances[next]!) next = point;
    }
    edges.push({ from: sources[next]!, to: next, distance: distances[next]! });
    current = next;
  }
  return edges;
}
