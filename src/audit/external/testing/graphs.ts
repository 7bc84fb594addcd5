import { type EventGraph, EventGraphBuilder, type EventRecord } from '../EventGraph.js';

/** A graph of events `[id, time or undefined, ...dependencies]`, one a line of file 0. */
export function graphOf(...events: readonly (readonly [string, number | undefined, ...string[]])[]): EventGraph {
  const builder = new EventGraphBuilder();
  for (const [index, [id, observedAt, ...dependsOn]] of events.entries()) {
    builder.add({ id, observedAt, dependsOn }, { file: 0, line: index + 1 });
  }
  return builder.freeze();
}

/** Ids of an event and all its ancestors, found one after the other. */
export function ancestorsOf(id: string, events: readonly EventRecord[]): Set<string> {
  const found = new Set([id]);
  for (const known of found) {
    for (const event of events) {
      if (event.id === known) for (const dependency of event.dependsOn) found.add(dependency);
    }
  }
  return found;
}
