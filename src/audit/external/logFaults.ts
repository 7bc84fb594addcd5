import type { DependencyClosure } from '../../lineage/dependencyClosure.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { EventGraph } from './EventGraph.js';

/**
 * Something about the logs themselves that keeps an audit from being certain.
 * - `cycle`: events depend on one another, so none of them can have been made.
 * - `conflicting-times`: two records give one event different times.
 * - `unknown-event`: an event depends on one that no record describes.
 * - `unknown-entry`: an answer used an event that the event log does not so much as name.
 */
export interface LogFault {
  readonly kind: 'cycle' | 'conflicting-times' | 'unknown-event' | 'unknown-entry';
  /** Id of the event; of a cycle, of its first. */
  readonly event: string;
  readonly message: string;
  readonly fileName: string;
  readonly line: number;
}

export interface FaultReport {
  /** The first `keep` of each kind. */
  readonly faults: readonly LogFault[];
  readonly counts: {
    readonly cycles: number;
    readonly conflicts: number;
    /** Distinct events that only others name. */
    readonly unknownEvents: number;
    /** Entries of answers that the event log does not name. */
    readonly unknownEntries: number;
    /** Distinct events that a record describes. */
    readonly described: number;
    /** Of these, those without a time. */
    readonly untimed: number;
  };
}

export interface FaultSources {
  readonly graph: EventGraph;
  readonly closure: DependencyClosure;
  /** Names of the event files, by number. */
  readonly fileNames: readonly string[];
  /** Used ids that the event log does not name, and an answer that used each; not all of them where there are many. */
  readonly strangers: ReadonlyMap<string, { readonly file: string; readonly line: number; readonly answer: string }>;
  /** Entries of answers that the event log does not name. */
  readonly strangerEntries: number;
  readonly keep: number;
}

/** Names of a cycle that are spelt out. */
const spelledMembers = 8;

export function collectFaults(sources: FaultSources): FaultReport {
  const { graph, closure, fileNames, strangers, keep } = sources;
  const faults: LogFault[] = [];
  const placeOf = (event: number) => ({ fileName: fileNames[graph.files[event]!]!, line: graph.lines[event]! });

  for (const cycle of closure.cycles.slice(0, keep)) {
    const first = cycle[0]!;
    faults.push({
      kind: 'cycle',
      event: graph.ids.idOf(first),
      message: cycleMessage(graph, cycle),
      ...placeOf(first),
    });
  }
  for (const { event, known, other, place } of graph.conflicts.slice(0, keep)) {
    const id = graph.ids.idOf(event);
    const message = `event ${id} was observed at ${formatInstant(known)} and, by this record, at ${formatInstant(other)}`;
    faults.push({ kind: 'conflicting-times', event: id, message, fileName: fileNames[place.file]!, line: place.line });
  }
  let described = 0;
  let untimed = 0;
  for (let event = 0; event < graph.size; event++) {
    if (graph.defined[event] === 1) {
      described++;
      if (Number.isNaN(graph.observedAt[event]!)) untimed++;
    } else if (event - described < keep) {
      const id = graph.ids.idOf(event);
      const message = `this record depends on event ${id}, which no record describes`;
      faults.push({ kind: 'unknown-event', event: id, message, ...placeOf(event) });
    }
  }
  for (const [id, { file, line, answer }] of strangers) {
    const message = `answer ${answer} used event ${id}, which no record describes`;
    faults.push({ kind: 'unknown-entry', event: id, message, fileName: file, line });
  }
  return {
    faults,
    counts: {
      cycles: closure.cycleCount,
      conflicts: graph.conflictCount,
      unknownEvents: graph.size - described,
      unknownEntries: sources.strangerEntries,
      described,
      untimed,
    },
  };
}

function cycleMessage(graph: EventGraph, cycle: Uint32Array): string {
  const names = Array.from(cycle.subarray(0, spelledMembers), (event) => graph.ids.idOf(event));
  const left = cycle.length - names.length;
  if (left > 0) names.push(`${left} more`);
  return `events depend on one another in a cycle: ${[...names, graph.ids.idOf(cycle[0]!)].join(' → ')}`;
}
