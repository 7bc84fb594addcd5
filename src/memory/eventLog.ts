import type { RequestDependencies } from '../corpus/requestDependencies.js';
import { closeOverDependencies } from '../lineage/dependencyClosure.js';

/** What stands in for time in a stream: the recorded observation times, or the position where the stream has no clock. */
export type ClockKind = 'recorded' | 'position';

/**
 * The shared, append-only log of behaviour-only traces (PIT Discovery section 4.3): event j is
 * e_j = (q_j, ranked assets 1..d, scores 1..d, j, v). It is built once from the fixed base retriever; views read it
 * and never write to it. Events are rows in stream order; a request occurs exactly once, so it identifies its event.
 * The ranked assets of an event do not depend on the stream: they are kept once, by request, as the retriever's
 * `RankedBlock`, and the log's commitment binds them.
 */
export interface EventLog {
  readonly size: number;
  readonly clockKind: ClockKind;
  /** [size] position -> request index. */
  readonly requestAt: Uint32Array;
  /** [size] request index -> position. */
  readonly positionOf: Uint32Array;
  /** [size] o(e_j) by position: epoch milliseconds, or the position itself; non-decreasing. */
  readonly observedAt: Float64Array;
  /** [size] when the feedback on the request at this position was observed; never before `observedAt`. */
  readonly feedbackAt: Float64Array;
  /** Which events the event of each request was made from, by request index: row r is [offsets[r], offsets[r + 1]). */
  readonly dependsOn: RequestDependencies;
  /**
   * [size] newest observation time among all that an event's entry depends on, itself and every ancestor (PIT Discovery
   * section 7, max over Ancestors(m) of o(e)): of the observations alone, and of the feedback on them as well. Eligibility
   * is decided on this time: a summary that took in a later event, or a click that was observed later, is not past.
   */
  readonly newestDependencyAt: Readonly<Record<EventReads, Float64Array>>;
  /** d: how many entries of a list the trace holds. */
  readonly traceDepth: number;
  /** v: the version of the recipe that makes an event from a request. */
  readonly recipe: string;
}

/** Version of the way events are made here; part of every event's commitment. */
export const eventRecipe = 'asof-event/1';

/** What a mechanism takes from an event besides the query: its behaviour-only trace, or the feedback on it as well. */
export type EventReads = 'behaviour' | 'feedback';

/** What a log is built from. */
export interface EventLogParts {
  readonly clockKind: ClockKind;
  /** [size] position -> request index; each request once. */
  readonly requestAt: Uint32Array;
  /** Times by request index; not read where the position is the clock. */
  readonly requests: {
    readonly observedAt: Float64Array;
    readonly feedbackAt: Float64Array;
    readonly dependsOn: RequestDependencies;
  };
  readonly traceDepth: number;
}

/** The shared log of a stream: one event a request, observed at its recorded time or at its position. */
export function buildEventLog({ clockKind, requestAt, requests, traceDepth }: EventLogParts): EventLog {
  const size = requestAt.length;
  const positionOf = new Uint32Array(size);
  for (let position = 0; position < size; position++) positionOf[requestAt[position]!] = position;
  const clock = (times: Float64Array) =>
    Float64Array.from(requestAt, (request, position) => (clockKind === 'recorded' ? times[request]! : position));
  const { dependsOn } = requests;
  const observedAt = clock(requests.observedAt);
  const feedbackAt = clock(requests.feedbackAt);
  const newestOf = (times: Float64Array) => newestAmongAncestors(times, requestAt, positionOf, dependsOn);
  return {
    size,
    clockKind,
    requestAt,
    positionOf,
    observedAt,
    feedbackAt,
    dependsOn,
    newestDependencyAt: { behaviour: newestOf(observedAt), feedback: newestOf(feedbackAt) },
    traceDepth,
    recipe: eventRecipe,
  };
}

/** @param times [size] by position */
function newestAmongAncestors(
  times: Float64Array,
  requestAt: Uint32Array,
  positionOf: Uint32Array,
  { offsets, requests }: RequestDependencies,
): Float64Array {
  if (requests.length === 0) return times;
  const size = requestAt.length;
  const observedAt = Float64Array.from(positionOf, (position) => times[position]!);
  const graph = { size, observedAt, defined: new Uint8Array(size).fill(1), offsets, dependencies: requests };
  const { newest } = closeOverDependencies(graph);
  return Float64Array.from(requestAt, (request) => newest[request]!);
}

/**
 * Number of events observed strictly before an instant: the size of the prefix M_<i of the log (PIT Discovery section
 * 3.2). Events at the instant itself are not in it, whatever their position.
 */
export function memorySize(log: Pick<EventLog, 'size' | 'observedAt'>, instant: number): number {
  let low = 0;
  let high = log.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (log.observedAt[middle]! < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}
