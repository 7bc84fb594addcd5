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
  /** d: how many entries of a list the trace holds. */
  readonly traceDepth: number;
  /** v: the version of the recipe that makes an event from a request. */
  readonly recipe: string;
}

/** Version of the way events are made here; part of every event's commitment. */
export const eventRecipe = 'asof-event/1';

/** What a mechanism takes from an event besides the query: its behaviour-only trace, or the feedback on it as well. */
export type EventReads = 'behaviour' | 'feedback';

/**
 * Newest observation time among all that an event's entry depends on (PIT Discovery section 7, ancestors of m): its own,
 * and for a mechanism that reads feedback also the feedback's. Eligibility is decided on this time: a click on an
 * earlier request that was observed after the anchor is not past.
 */
export function newestDependencyTimes(log: EventLog, reads: EventReads): Float64Array {
  return reads === 'behaviour' ? log.observedAt : log.feedbackAt;
}
