import { conditionsFor } from '../memory/conditions.js';
import { eventLogCommitment, modelHash } from './commitments.js';
import { createMechanism } from './createMechanism.js';
import type { Experiment } from './experiment.js';
import { planStream, streamRuns } from './planStream.js';
import { type ReplayArm, replayStream } from './replayStream.js';
import type { Budgets } from './rowBatch.js';
import type { PlannedStream, PreparedDomain, RunSink } from './runSink.js';
import { specLabel } from './specLabel.js';

/** What the manifest records of one shard of rows. */
export interface ShardRecord {
  readonly stream: string;
  readonly seed: number;
  readonly retriever: string;
  readonly mechanism: string;
  readonly eventLog: string;
  readonly model: string;
  readonly rows: number;
}

/** What the manifest records of one domain. */
export interface DomainRecord {
  readonly domain: PreparedDomain;
  readonly streams: readonly PlannedStream[];
  readonly shards: readonly ShardRecord[];
}

export interface ReplayProgress {
  /** Rows done and planned in the domain at hand. */
  readonly done: number;
  readonly total: number;
  readonly label: string;
}

/** Budgets of an experiment: the same for every condition. */
export function budgetsOf(experiment: Experiment): Budgets {
  const { traceDepth, capacity, baseDepth, outputDepth } = experiment;
  return { traceDepth, capacity, baseDepth, outputDepth: outputDepth || baseDepth };
}

/**
 * Replays every stream of a domain under every retriever and mechanism, and hands the rows to the sink, stream by stream.
 * Streams whose rows are there already (an interrupted run) are planned but not replayed again.
 * @param metricNames metrics of the whole run, over the asset types of all its domains
 */
export async function replayDomain(
  domain: PreparedDomain,
  experiment: Experiment,
  metricNames: readonly string[],
  sink: RunSink,
  onProgress: (progress: ReplayProgress) => void = () => {},
): Promise<DomainRecord> {
  await sink.writeDomain(domain);
  const conditions = conditionsFor(experiment.horizons);
  // Every stream is planned before the first is replayed, so that one that cannot be is known at once.
  const streams = streamRuns(experiment).map(({ spec, seed }) => planStream(spec, seed, domain, experiment));
  const armsEach = domain.retrievers.length * experiment.mechanisms.length;
  const rowsOf = (stream: PlannedStream) => stream.plan.anchors.length * conditions.length * armsEach;
  const total = streams.reduce((sum, stream) => sum + rowsOf(stream), 0);
  const shards: ShardRecord[] = [];
  let done = 0;
  for (const stream of streams) {
    const label = `${domain.name}, ${stream.label} ${stream.stream.seed}`;
    onProgress({ done, total, label });
    await sink.writeStream(domain, stream);
    const arms = armsOf(domain, stream, experiment);
    if (!sink.hasRows(domain, stream)) {
      const before = done;
      const batches = replayStream({
        log: stream.log,
        anchors: stream.plan.anchors,
        conditions,
        budgets: budgetsOf(experiment),
        similarity: domain.similarity,
        arms,
        products: domain.dataset.products,
        visibleRows: domain.visibleRows,
        types: domain.assets.types,
        typeNames: domain.assets.typeNames,
        cutoffs: experiment.cutoffs,
        metricNames,
        onProgress: (rows) => onProgress({ done: before + rows, total, label }),
      });
      await sink.writeRows(domain, stream, batches);
    }
    done += rowsOf(stream);
    for (const arm of arms) {
      shards.push({
        stream: stream.label,
        seed: stream.stream.seed,
        retriever: arm.key.retriever,
        mechanism: arm.key.mechanism,
        eventLog: arm.hashes.eventLog,
        model: arm.hashes.model,
        rows: stream.plan.anchors.length * conditions.length,
      });
    }
  }
  onProgress({ done, total, label: domain.name });
  return { domain, streams, shards };
}

/** One arm for each retriever and mechanism, retrievers outermost: the order of the rows. */
function armsOf(domain: PreparedDomain, stream: PlannedStream, experiment: Experiment): ReplayArm[] {
  const { requests, products } = domain.dataset;
  return domain.retrievers.flatMap((retriever) => {
    const eventLog = eventLogCommitment(stream.log, requests.ids, domain.vectorHashes, retriever.listHashes);
    return experiment.mechanisms.map((spec): ReplayArm => {
      const mechanism = createMechanism(
        spec,
        { traces: retriever.base, traceDepth: experiment.traceDepth, idOrder: domain.dataset.corpus.idOrder },
        products,
      );
      const { name, version, parameters } = mechanism;
      return {
        key: {
          domain: domain.name,
          stream: stream.label,
          streamKind: stream.stream.kind,
          seed: stream.stream.seed,
          retriever: retriever.label,
          mechanism: specLabel(spec),
        },
        hashes: {
          corpus: domain.corpus.root,
          types: domain.typesHash,
          requests: domain.requestsHash,
          index: retriever.indexHash,
          stream: stream.hash,
          eventLog: eventLog.root,
          model: modelHash({
            retriever: retriever.hash,
            similarity: domain.similarity.hash,
            mechanism: { name, version, parameters },
          }),
        },
        base: retriever.base,
        mechanism,
      };
    });
  });
}
