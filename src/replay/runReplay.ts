import type { LogCommitment } from '../commitment/merkleTree.js';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { conditionsFor } from '../memory/conditions.js';
import { eventMerkleLog } from './commitments.js';
import { describeMechanism } from './createMechanism.js';
import type { PreparedDomain, ReplayDomain } from './domain.js';
import type { Experiment } from './experiment.js';
import { historicalStates } from './historicalState.js';
import { mechanismSources } from './mechanismModule.js';
import { planStream, streamRuns } from './planStream.js';
import type { KernelSetup } from './ReplayKernel.js';
import { requirePastModels } from './requirePastModels.js';
import { type Budgets, newRowBatch, type RowBatch } from './rowBatch.js';
import type { PlannedStream, RunSink } from './runSink.js';
import { specLabel } from './specLabel.js';
import { ReplayPool } from './workers/ReplayPool.js';

/** What the manifest records of one shard of rows. */
export interface ShardRecord {
  readonly stream: string;
  readonly seed: number;
  readonly retriever: string;
  readonly mechanism: string;
  readonly eventLog: LogCommitment;
  /** Id of the version that its rows were ranked with. */
  readonly model: string;
  readonly rows: number;
}

/** What the manifest records of one domain. */
export interface DomainRecord {
  readonly domain: ReplayDomain;
  readonly streams: readonly PlannedStream[];
  readonly shards: readonly ShardRecord[];
}

/** How far the replay of a domain has come. */
export interface ReplayProgress {
  /** Texts embedded, or rows done, of those of the domain at hand. */
  readonly done: number;
  readonly total: number;
  readonly unit: 'texts' | 'rows';
  readonly label: string;
}

export interface ReplayOptions {
  /** Metrics of the whole run, over the asset types of all its domains. */
  readonly metricNames: readonly string[];
  readonly sink: RunSink;
  /** Threads that replay; the rows do not depend on it. One, this one, by default. */
  readonly threads?: number | undefined;
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
}

/** Budgets of an experiment: the same for every condition. */
export function budgetsOf(experiment: Experiment): Budgets {
  const { traceDepth, capacity, baseDepth, outputDepth } = experiment;
  return { traceDepth, capacity, baseDepth, outputDepth: outputDepth || baseDepth };
}

/** Plans the streams of a domain, replays them, and hands domain, streams and rows to the sink. */
export async function replayDomain(
  domain: PreparedDomain,
  experiment: Experiment,
  options: ReplayOptions,
): Promise<DomainRecord> {
  await options.sink.writeDomain(domain);
  // Every stream is planned before the first is replayed, so that one that cannot be is known at once.
  const streams: PlannedStream[] = [];
  for (const { spec, seed } of streamRuns(experiment)) streams.push(await planStream(spec, seed, domain, experiment));
  requirePastModels(domain, streams, experiment);
  for (const stream of streams) await options.sink.writeStream(domain, stream);
  const shards = await replayStreams(domain, streams, experiment, options);
  return { domain, streams, shards };
}

/**
 * Replays streams under every retriever and mechanism, and hands the rows to the sink, stream by stream: while one stream's
 * rows are written, the next one's are computed. Streams whose rows are there already (an interrupted run) are not replayed
 * again.
 */
export async function replayStreams(
  domain: ReplayDomain,
  streams: readonly PlannedStream[],
  experiment: Experiment,
  options: Omit<ReplayOptions, 'sink'> & { readonly sink: Pick<RunSink, 'hasRows' | 'writeRows'> },
): Promise<ShardRecord[]> {
  const { sink, metricNames, threads = 1, onProgress = () => {} } = options;
  if (!Number.isInteger(threads) || threads < 1 || threads > 256) {
    throw new InvalidArgumentError({ argument: 'threads', value: threads, expected: 'a whole number from 1 to 256' });
  }
  const conditionNames = conditionsFor(experiment.horizons).map(({ name }) => name);
  const armsEach = domain.retrievers.length * experiment.mechanisms.length;
  const rowsOf = (stream: PlannedStream) => stream.plan.anchors.length * conditionNames.length * armsEach;
  const total = streams.reduce((sum, stream) => sum + rowsOf(stream), 0);
  const shards: ShardRecord[] = [];
  const pool = new ReplayPool(kernelSetup(domain, experiment), threads);
  let writing = Promise.resolve();
  let done = 0;
  try {
    for (const stream of streams) {
      const label = `${domain.name}, ${stream.label} ${stream.stream.seed}`;
      onProgress({ done, total, unit: 'rows', label });
      const batches = emptyBatches(domain, stream, experiment, { conditionNames, metricNames });
      if (!sink.hasRows(domain, stream)) {
        const rowsEach = conditionNames.length * armsEach;
        const before = done;
        await pool.replay({ log: stream.log, anchors: stream.plan.anchors, batches }, (anchors) =>
          onProgress({ done: before + anchors * rowsEach, total, unit: 'rows', label }),
        );
        await writing;
        writing = sink.writeRows(domain, stream, batches);
        // Heard at the next await; not to be reported as unhandled before.
        writing.catch(() => {});
      }
      done += rowsOf(stream);
      for (const { key, hashes, eventLog, size } of batches) {
        const { seed, retriever, mechanism } = key;
        shards.push({ stream: key.stream, seed, retriever, mechanism, eventLog, model: hashes.model, rows: size });
      }
    }
    await writing;
  } finally {
    await pool.close();
  }
  onProgress({ done, total, unit: 'rows', label: domain.name });
  return shards;
}

/** What the kernels of a domain start from. */
export function kernelSetup(domain: ReplayDomain, experiment: Experiment): KernelSetup {
  const { id, hash, vectors } = domain.similarity;
  return {
    similarity: { id, hash, vectors },
    products: domain.products,
    visibleRows: domain.visibleRows,
    types: domain.assets.types,
    typeNames: domain.assets.typeNames,
    idOrder: domain.assets.idOrder,
    bases: domain.retrievers.map(({ base }) => base),
    mechanisms: experiment.mechanisms,
    mechanismSources: mechanismSources(experiment),
    horizons: experiment.horizons,
    budgets: budgetsOf(experiment),
    cutoffs: experiment.cutoffs,
  };
}

/** One batch for each retriever and mechanism, retrievers outermost: the order of the rows. */
function emptyBatches(
  domain: ReplayDomain,
  { label, stream, hash, log, plan }: PlannedStream,
  experiment: Experiment,
  names: { readonly conditionNames: readonly string[]; readonly metricNames: readonly string[] },
): RowBatch[] {
  const { assetTree, vectorHashes, visibleRows } = domain;
  const size = plan.anchors.length * names.conditionNames.length;
  return domain.retrievers.flatMap((retriever, r) => {
    const contents = { requestIds: domain.requests.ids, vectorHashes, baseListHashes: retriever.listHashes };
    const events = eventMerkleLog(log, contents);
    const eventLog = events.commitment();
    const states = historicalStates(plan.anchors, log, { events, assets: assetTree }, visibleRows);
    return experiment.mechanisms.map((spec, m) => {
      const key = {
        domain: domain.name,
        stream: label,
        streamKind: stream.kind,
        seed: stream.seed,
        retriever: retriever.label,
        mechanism: specLabel(spec),
      };
      const hashes = {
        corpus: assetTree.commitment().root,
        types: domain.typesHash,
        requests: domain.requestsHash,
        index: retriever.indexHash,
        stream: hash,
        eventLog: eventLog.root,
        model: domain.models.states[r]![m]!.id,
      };
      const { usesGold: mechanismUsesGold } = describeMechanism(spec);
      const shape = { key, hashes, eventLog, states, budgets: budgetsOf(experiment), mechanismUsesGold, size };
      return newRowBatch({ ...shape, conditionNames: names.conditionNames }, names.metricNames);
    });
  });
}
