import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { conditionsFor } from '../memory/conditions.js';
import { eventLogCommitment, modelHash } from './commitments.js';
import { createMechanism } from './createMechanism.js';
import type { Experiment } from './experiment.js';
import { planStream, streamRuns } from './planStream.js';
import type { KernelSetup } from './ReplayKernel.js';
import { type Budgets, newRowBatch, type RowBatch } from './rowBatch.js';
import type { PlannedStream, PreparedDomain, RunSink } from './runSink.js';
import { specLabel } from './specLabel.js';
import { ReplayPool } from './workers/ReplayPool.js';

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

/**
 * Replays every stream of a domain under every retriever and mechanism, and hands the rows to the sink, stream by stream:
 * while one stream's rows are written, the next one's are computed. Streams whose rows are there already (an interrupted
 * run) are planned but not replayed again.
 */
export async function replayDomain(
  domain: PreparedDomain,
  experiment: Experiment,
  options: ReplayOptions,
): Promise<DomainRecord> {
  const { sink, metricNames, threads = 1, onProgress = () => {} } = options;
  if (!Number.isInteger(threads) || threads < 1 || threads > 256) {
    throw new InvalidArgumentError({ argument: 'threads', value: threads, expected: 'a whole number from 1 to 256' });
  }
  await sink.writeDomain(domain);
  // Every stream is planned before the first is replayed, so that one that cannot be is known at once.
  const streams: PlannedStream[] = [];
  for (const { spec, seed } of streamRuns(experiment)) streams.push(await planStream(spec, seed, domain, experiment));
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
      await sink.writeStream(domain, stream);
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
      for (const { key, hashes, size } of batches) {
        const { seed, retriever, mechanism } = key;
        const { eventLog, model } = hashes;
        shards.push({ stream: key.stream, seed, retriever, mechanism, eventLog, model, rows: size });
      }
    }
    await writing;
  } finally {
    await pool.close();
  }
  onProgress({ done, total, unit: 'rows', label: domain.name });
  return { domain, streams, shards };
}

/** What the kernels of a domain start from. */
export function kernelSetup(domain: PreparedDomain, experiment: Experiment): KernelSetup {
  const { id, hash, vectors } = domain.similarity;
  return {
    similarity: { id, hash, vectors },
    products: domain.dataset.products,
    visibleRows: domain.visibleRows,
    types: domain.assets.types,
    typeNames: domain.assets.typeNames,
    idOrder: domain.dataset.corpus.idOrder,
    bases: domain.retrievers.map(({ base }) => base),
    mechanisms: experiment.mechanisms,
    horizons: experiment.horizons,
    budgets: budgetsOf(experiment),
    cutoffs: experiment.cutoffs,
  };
}

/** One batch for each retriever and mechanism, retrievers outermost: the order of the rows. */
function emptyBatches(
  domain: PreparedDomain,
  { label, stream, hash, log, plan }: PlannedStream,
  experiment: Experiment,
  names: { readonly conditionNames: readonly string[]; readonly metricNames: readonly string[] },
): RowBatch[] {
  const { requests, products, corpus } = domain.dataset;
  const budgets = budgetsOf(experiment);
  return domain.retrievers.flatMap((retriever) => {
    const eventLog = eventLogCommitment(log, requests.ids, domain.vectorHashes, retriever.listHashes);
    return experiment.mechanisms.map((spec) => {
      const context = { traces: retriever.base, traceDepth: budgets.traceDepth, idOrder: corpus.idOrder };
      const { name, version, parameters, usesGold } = createMechanism(spec, context, products);
      const key = {
        domain: domain.name,
        stream: label,
        streamKind: stream.kind,
        seed: stream.seed,
        retriever: retriever.label,
        mechanism: specLabel(spec),
      };
      const hashes = {
        corpus: domain.corpus.root,
        types: domain.typesHash,
        requests: domain.requestsHash,
        index: retriever.indexHash,
        stream: hash,
        eventLog: eventLog.root,
        model: modelHash({
          retriever: retriever.hash,
          similarity: domain.similarity.hash,
          mechanism: { name, version, parameters },
        }),
      };
      const size = plan.anchors.length * names.conditionNames.length;
      const { conditionNames, metricNames } = names;
      return newRowBatch({ key, hashes, budgets, mechanismUsesGold: usesGold, size, conditionNames }, metricNames);
    });
  });
}
