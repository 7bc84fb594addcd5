import { buildEventLog } from '../../memory/eventLog.js';
import type { PreparedDomain, ReplayDomain } from '../domain/domain.js';
import { requireAvailability } from '../domain/requireAvailability.js';
import type { Experiment, StreamSpec } from '../experiment/experiment.js';
import { specLabel } from '../experiment/specLabel.js';
import type { PlannedStream } from '../runSink.js';
import { goldOverlapStream } from '../streams/goldOverlap.js';
import { naturalStream } from '../streams/natural.js';
import { randomStream } from '../streams/random.js';
import { semanticStream } from '../streams/semantic.js';
import { type Stream, streamHash } from '../streams/stream.js';
import { planAnchors } from './planAnchors.js';

/** Generates a stream of a domain, its event log and its anchors. */
export async function planStream(
  spec: StreamSpec,
  seed: number,
  domain: PreparedDomain,
  experiment: Experiment,
): Promise<PlannedStream> {
  requireAvailability(domain.name, domain.assets, experiment.corpus);
  return planOrder(specLabel(spec), await generate(spec, seed, domain), domain, experiment);
}

/** The event log and the anchors of a stream whose order is known. */
export function planOrder(
  label: string,
  stream: Stream,
  { requests, products, visibleRows }: ReplayDomain,
  experiment: Experiment,
): PlannedStream {
  const { clockKind, order } = stream;
  const log = buildEventLog({ clockKind, requestAt: order, requests, traceDepth: experiment.traceDepth });
  return {
    label,
    stream,
    hash: streamHash(order, requests.ids),
    log,
    plan: planAnchors(stream.kind, log, experiment, products, visibleRows),
  };
}

/** Streams of an experiment in the order of its rows: each specification with every seed; a natural stream once. */
export function streamRuns(experiment: Experiment): { spec: StreamSpec; seed: number }[] {
  return experiment.streams.flatMap((spec) =>
    (spec.kind === 'natural' ? [0] : experiment.seeds).map((seed) => ({ spec, seed })),
  );
}

async function generate(
  spec: StreamSpec,
  seed: number,
  { name, requests, products, points }: PreparedDomain,
): Promise<Stream> {
  switch (spec.kind) {
    case 'random':
      return randomStream(requests.ids.length, seed);
    case 'natural':
      return naturalStream(requests, name);
    case 'semantic':
      return semanticStream(points(), seed, spec);
    case 'gold-overlap':
      return goldOverlapStream(products, seed);
  }
}
