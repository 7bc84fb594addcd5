import type { Points } from '../clustering/types.js';
import type { LogCommitment } from '../commitment/merkleTree.js';
import type { Dataset } from '../corpus/dataset.js';
import type { EventLog } from '../memory/eventLog.js';
import type { VectorSimilarity } from '../memory/vectorSimilarity.js';
import type { RankedBlock } from '../retrieval/ranking.js';
import type { CommittedAssets } from './commitments.js';
import type { AnchorPlan } from './planAnchors.js';
import type { RowBatch } from './rowBatch.js';
import type { Stream } from './streams/stream.js';

/** A base retriever over a domain: its lists, fixed before any condition is replayed. */
export interface PreparedRetriever {
  readonly label: string;
  readonly hash: string;
  /** Lists by request index. */
  readonly base: RankedBlock;
  readonly listHashes: readonly string[];
  readonly indexHash: string;
}

/** A domain with everything that its streams share. */
export interface PreparedDomain {
  readonly name: string;
  readonly dataset: Dataset;
  readonly assets: CommittedAssets;
  /** SHA-256 of each request's text. */
  readonly textHashes: readonly string[];
  readonly corpus: LogCommitment;
  readonly typesHash: string;
  readonly requestsHash: string;
  readonly productsHash: string;
  /** [requests] rows of the snapshot at each request. */
  readonly visibleRows: Uint32Array;
  readonly similarity: VectorSimilarity;
  /** The requests as points, which semantic streams cluster. */
  readonly points: () => Points;
  readonly vectorHashes: readonly string[];
  readonly retrievers: readonly PreparedRetriever[];
}

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
  hasRows(domain: PreparedDomain, stream: PlannedStream): boolean;
  writeDomain(domain: PreparedDomain): Promise<void>;
  writeStream(domain: PreparedDomain, stream: PlannedStream): Promise<void>;
  /** Rows of one stream: a batch for each retriever and mechanism. */
  writeRows(domain: PreparedDomain, stream: PlannedStream, batches: readonly RowBatch[]): Promise<void>;
}
