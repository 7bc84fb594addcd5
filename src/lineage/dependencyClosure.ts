/**
 * Things that were made from one another, column by column: events of a log, versions of models. A thing is its number.
 */
export interface DependencyGraph {
  readonly size: number;
  /** [at least size] when each was observed, in epoch milliseconds (or stream positions); NaN where unknown. */
  readonly observedAt: Float64Array;
  /** [at least size] 1 where something describes it, 0 where others only name it. */
  readonly defined: Uint8Array;
  /** [size + 1] where the dependencies of each start in `dependencies`. */
  readonly offsets: Uint32Array;
  /** Numbers of those it was made from, in the order in which they are listed. */
  readonly dependencies: Uint32Array;
}

/** Bits of `DependencyClosure.gaps`: why the newest time of an event and its ancestors is not known for sure. */
export const gap = {
  /** It or an ancestor has no observation time. */
  untimed: 1,
  /** It or an ancestor is named, but no record describes it. */
  unknown: 2,
  /** It is in a dependency cycle, or depends on one. */
  cyclic: 4,
} as const;

/**
 * For each event, the newest observation time among itself and its ancestors, max over Ancestors(m) of o(e) (PIT
 * Discovery section 7): an event may be used at q exactly when this is before o(q).
 */
export interface DependencyClosure {
  /** [size] newest known time in epoch milliseconds; -Infinity when none is known. */
  readonly newest: Float64Array;
  /** [size] the event that has that time: the event itself before its ancestors, then the first listed. */
  readonly newestEvent: Uint32Array;
  /** [size] next event on the way there; the event itself at the end. Inside a cycle the way is cut short. */
  readonly towards: Uint32Array;
  /** [size] steps of that way. */
  readonly steps: Uint32Array;
  /** [size] bits of `gap`. */
  readonly gaps: Uint8Array;
  /** One cycle of each group of events that depend on one another, each event depending on the next. */
  readonly cycles: readonly Uint32Array[];
  /** How many such groups there are; `cycles` holds the first `maximumCycles`. */
  readonly cycleCount: number;
}

const maximumCycles = 1000;
const unvisited = 0;
const closed = 0xffff_ffff;

/**
 * One depth-first walk (Tarjan 1972: strongly connected components leave it in the order of their dependencies), with
 * its own stack, so that a chain of a million events needs no recursion. O(events + dependencies) time; 50 bytes an
 * event, of which 21 stay.
 */
export function closeOverDependencies(graph: DependencyGraph): DependencyClosure {
  const { size, offsets, dependencies } = graph;
  const closure = {
    newest: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    newestEvent: new Uint32Array(size),
    towards: new Uint32Array(size),
    steps: new Uint32Array(size),
    gaps: new Uint8Array(size),
  };
  const cycles: Uint32Array[] = [];
  let cycleCount = 0;

  /** Order of discovery from 1; `unvisited` before, `closed` once the event's component is done. */
  const discovery = new Uint32Array(size);
  /** Earliest discovered event still open that is reachable; of a closed event, the number of its component. */
  const lowest = new Uint32Array(size);
  const cursor = offsets.slice(0, size);
  const path = new Uint32Array(size);
  const open = new Uint32Array(size);
  let openCount = 0;
  let discovered = 0;

  for (let root = 0; root < size; root++) {
    if (discovery[root] !== unvisited) continue;
    let depth = 0;
    path[0] = root;
    discovery[root] = lowest[root] = ++discovered;
    open[openCount++] = root;
    while (depth >= 0) {
      const event = path[depth]!;
      if (cursor[event]! < offsets[event + 1]!) {
        const dependency = dependencies[cursor[event]!++]!;
        const seen = discovery[dependency]!;
        if (seen === unvisited) {
          discovery[dependency] = lowest[dependency] = ++discovered;
          open[openCount++] = dependency;
          path[++depth] = dependency;
        } else if (seen !== closed && seen < lowest[event]!) {
          lowest[event] = seen;
        }
        continue;
      }
      depth--;
      if (depth >= 0) {
        const parent = path[depth]!;
        if (lowest[event]! < lowest[parent]!) lowest[parent] = lowest[event]!;
      }
      if (lowest[event] !== discovery[event]) continue;
      let start = openCount;
      do start--;
      while (open[start] !== event);
      const members = open.subarray(start, openCount);
      openCount = start;
      const component = discovery[event]!;
      for (const member of members) {
        lowest[member] = component;
        settle(graph, closure, member);
      }
      if (members.length > 1 || dependsOnItself(graph, event)) {
        settleCycle(closure, members);
        if (cycleCount++ < maximumCycles) cycles.push(oneCycle(graph, members, lowest, component));
      }
      for (const member of members) discovery[member] = closed;
    }
  }
  return { ...closure, cycles, cycleCount };
}

type Columns = Pick<DependencyClosure, 'newest' | 'newestEvent' | 'towards' | 'steps' | 'gaps'>;

/** The closure of an event, from those of its dependencies; inside a cycle, as far as they are known. */
function settle(graph: DependencyGraph, closure: Columns, event: number): void {
  const time = graph.observedAt[event]!;
  let newest = Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
  let newestEvent = event;
  let towards = event;
  let gaps = ownGap(graph, event);
  for (let edge = graph.offsets[event]!; edge < graph.offsets[event + 1]!; edge++) {
    const dependency = graph.dependencies[edge]!;
    gaps |= closure.gaps[dependency]!;
    if (closure.newest[dependency]! > newest) {
      newest = closure.newest[dependency]!;
      newestEvent = closure.newestEvent[dependency]!;
      towards = dependency;
    }
  }
  closure.newest[event] = newest;
  closure.newestEvent[event] = newestEvent;
  closure.towards[event] = towards;
  closure.steps[event] = towards === event ? 0 : closure.steps[towards]! + 1;
  closure.gaps[event] = gaps;
}

/** Bits of `gap` that an event has of itself, its ancestors apart. */
export function ownGap(graph: DependencyGraph, event: number): number {
  if (graph.defined[event] === 0) return gap.unknown;
  return Number.isNaN(graph.observedAt[event]!) ? gap.untimed : 0;
}

/** Events that depend on one another share their ancestors: all get the newest time and the gaps of all. */
function settleCycle(closure: Columns, members: Uint32Array): void {
  let best = members[0]!;
  let gaps: number = gap.cyclic;
  for (const member of members) {
    if (closure.newest[member]! > closure.newest[best]!) best = member;
    gaps |= closure.gaps[member]!;
  }
  const newest = closure.newest[best]!;
  const newestEvent = closure.newestEvent[best]!;
  for (const member of members) {
    closure.newest[member] = newest;
    closure.newestEvent[member] = newestEvent;
    closure.towards[member] = newestEvent;
    closure.steps[member] = member === newestEvent ? 0 : 1;
    closure.gaps[member] = gaps;
  }
}

function dependsOnItself(graph: DependencyGraph, event: number): boolean {
  return graph.dependencies.subarray(graph.offsets[event]!, graph.offsets[event + 1]!).includes(event);
}

/** A cycle among the members of a component: from its first event along first dependencies until one comes again. */
function oneCycle(
  graph: DependencyGraph,
  members: Uint32Array,
  components: Uint32Array,
  component: number,
): Uint32Array {
  let event = members.reduce((first, member) => Math.min(first, member));
  const walk: number[] = [];
  const position = new Map<number, number>();
  while (!position.has(event)) {
    position.set(event, walk.length);
    walk.push(event);
    let edge = graph.offsets[event]!;
    while (components[graph.dependencies[edge]!] !== component) edge++;
    event = graph.dependencies[edge]!;
  }
  return Uint32Array.from(walk.slice(position.get(event)!));
}
