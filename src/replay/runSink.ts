import type { EventLog } from '../memory/eventLog.js';
import type { PreparedDomain, ReplayDomain } from './domain/domain.js';
import type { AnchorPlan } from './plan/planAnchors.js';
import type { RowBatch } from './rows/rowBatch.js';
import type { Stream } from './streams/stream.js';

/** A stream of a domain with its event log and anchors. */
export interface PlannedStream {
  readonly label: string;
  readonly stream: Stream;
  readonly hash: string;
  readonly log: EventLog;
  readonly plan: AnchorPlan;
}

/** Where a replay leaves its results; `store` writes them to a run folder. */
export interface RunSink {
  /** Whether rows of the stream are there already, from an interrupted run of the same experiment. */
  hasRows(domain: ReplayDomain, stream: PlannedStream): boolean;
  writeDomain(domain: PreparedDomain): Promise<void>;
  writeStream(domain: ReplayDomain, stream: PlannedStream): Promise<void>;
  /** Rows of one stream: a batch for each retriever and mechanism. */
  writeRows(domain: ReplayDomain, stream: PlannedStream, batches: readonly RowBatch[]): Promise<void>;
}
