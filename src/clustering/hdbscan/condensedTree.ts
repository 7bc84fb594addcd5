import type { TreeEdge } from './mutualReachability.js';

/** A cluster of the condensed tree: groups of at least the least size that hold together over a range of densities. */
export interface CondensedCluster {
  /** Index of the cluster that it split off; -1 for the first, which holds every point. */
  readonly parent: number;
  /** Points that left it one by one or in groups too small, before or when it ended. */
  readonly points: number[];
  /** Sum over its points of (density at which they left - density at which it began). */
  stability: number;
}

/** A distance of nothing would be an infinite density, and two such clusters could not be compared. */
const leastDistance = 1e-9;

/**
 * Condenses a spanning tree (Campello, Moulavi and Sander 2013, section 3): going from the longest edge to the shortest,
 * a split counts when two sides or more have at least `leastSize` points; points of smaller sides fall out, and a
 * cluster of which one larger side remains lives on. Density is 1 / distance.
 *
 * Edges of one length go at the same moment, so that the result does not depend on their order: a point that holds two
 * groups together by edges of one length belongs to neither. (Mutual reachability makes such ties common.)
 *
 * @returns clusters, each after its parent
 */
export function condenseTree(edges: readonly TreeEdge[], leastSize: number): CondensedCluster[] {
  const tree = linkSingly(edges);
  const clusters: CondensedCluster[] = [{ parent: -1, points: [], stability: 0 }];
  const births = [0];
  const pending: { node: number; cluster: number }[] = [{ node: tree.root, cluster: 0 }];
  const leave = (cluster: number, node: number, density: number) => {
    const points = tree.pointsOf(node);
    clusters[cluster]!.points.push(...points);
    clusters[cluster]!.stability += points.length * (density - births[cluster]!);
  };
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, cluster } = next;
    const density = 1 / Math.max(tree.distanceOf(node), leastDistance);
    const sides = tree.sidesOf(node);
    const isLarge = (side: number) => tree.sizeOf(side) >= leastSize;
    const splits = sides.filter(isLarge).length > 1;
    for (const side of sides) {
      if (!isLarge(side)) leave(cluster, side, density);
      else if (splits) {
        clusters[cluster]!.stability += tree.sizeOf(side) * (density - births[cluster]!);
        births.push(density);
        pending.push({ node: side, cluster: clusters.push({ parent: cluster, points: [], stability: 0 }) - 1 });
      } else pending.push({ node: side, cluster });
    }
  }
  return clusters;
}

/** Single-linkage tree: nodes below `points` are points, the others join two nodes. */
function linkSingly(edges: readonly TreeEdge[]) {
  const points = edges.length + 1;
  const children: (readonly [number, number])[] = [];
  const distances = new Float64Array(2 * points);
  const sizes = new Float64Array(2 * points).fill(1);
  const owner = Uint32Array.from({ length: 2 * points }, (_, node) => node);
  const topOf = (node: number): number => {
    let top = node;
    while (owner[top] !== top) top = owner[top]!;
    for (let at = node; owner[at] !== top; ) {
      const up = owner[at]!;
      owner[at] = top;
      at = up;
    }
    return top;
  };
  // Sorting is stable: equal edges keep the order in which Prim's algorithm found them.
  for (const { from, to, distance } of edges.toSorted((a, b) => a.distance - b.distance)) {
    const node = points + children.length;
    const pair = [topOf(from), topOf(to)] as const;
    children.push(pair);
    distances[node] = distance;
    sizes[node] = sizes[pair[0]]! + sizes[pair[1]]!;
    for (const child of pair) owner[child] = node;
  }
  const childrenOf = (node: number): readonly number[] => (node < points ? [] : children[node - points]!);
  return {
    root: 2 * points - 2,
    /** What falls apart when all edges as long as the node's own go. */
    sidesOf(node: number): number[] {
      const sides: number[] = [];
      const pending = [...childrenOf(node)];
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        if (next >= points && distances[next] === distances[node]) pending.push(...childrenOf(next));
        else sides.push(next);
      }
      return sides;
    },
    sizeOf: (node: number) => sizes[node]!,
    distanceOf: (node: number) => distances[node]!,
    pointsOf(node: number): number[] {
      const found: number[] = [];
      const pending = [node];
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        if (next < points) found.push(next);
        else pending.push(...childrenOf(next));
      }
      return found;
    },
  };
}
