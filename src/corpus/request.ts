import type { Instant } from '../time/instant.js';
import type { RequestDependencies } from './requestDependencies.js';

/** One request as a file holds it. `gold` is split off into `Products` before anything that ranks sees it. */
export interface RequestRecord {
  readonly id: string;
  readonly text: string;
  /** Asset ids of the product: what satisfies the request. For evaluation only. */
  readonly gold: readonly string[];
  /** When the request was made, o(q). Absent: the stream has no clock and its position stands in. */
  readonly observedAt?: Instant;
  /** When the feedback (clicks) on this request was observed. Absent: with the request. */
  readonly feedbackAt?: Instant;
  /**
   * Ids of the requests whose events this request's event was made from, such as a summary of earlier ones: what they
   * depend on, it depends on. Absent: on itself alone.
   */
  readonly dependsOn?: readonly string[];
  /** What the request belongs to in its source, for example a report page or a dialogue. */
  readonly group?: string;
}

/**
 * The requests of a domain without their relevance labels: all that streams, retrieval and memory selection may see.
 * Index = row in every array; rows are in id order (code units).
 */
export interface Requests {
  readonly size: number;
  readonly ids: readonly string[];
  readonly texts: readonly string[];
  /** [size] epoch milliseconds; NaN where the request has no clock. */
  readonly observedAt: Float64Array;
  /** [size] epoch milliseconds at which feedback was observed; equals `observedAt` where none was given. */
  readonly feedbackAt: Float64Array;
  readonly dependsOn: RequestDependencies;
}
