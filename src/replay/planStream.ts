import type { Requests } from '../corpus/request.js';
import { type EventLog, eventRecipe } from '../memory/eventLog.js';
import type { Experiment, StreamSpec } from './experiment.js';
import { planAnchors } from './planAnchors.js';
import { requireAvailability } from './requireAvailability.js';
import type { PlannedStream, PreparedDomain } from './runSink.js';
import { specLabel } from './specLabel.js';
import { goldOverlapStream } from './streams/goldOverlap.js';
import { naturalStream } from './streams/natural.js';
import { randomStream } from './streams/random.js';
import { semanticStream } from './streams/semantic.js';
import { type Stream, streamHash } from './streams/stream.js';

/** Generates a stream of a domain, its event log and its anchors. */
export async function planStream(
  spec: StreamSpec,
  seed: number,
  domain: Pick<PreparedDomain, 'name' | 'dataset' | 'assets' | 'points' | 'visibleRows'>,
  experiment: Experiment,
): Promise<PlannedStream> {
  requireAvailability(domain.name, domain.assets, experiment.corpus);
  const { requests, products } = domain.dataset;
  const stream = await generate(spec, seed, domain);
  const log = eventLogOf(stream, requests, experiment.traceDepth);
  return {
    label: specLabel(spec),
    stream,
    hash: streamHash(stream.order, requests.ids),
    log,
    plan: planAnchors(stream.kind, log, experiment, products, domain.visibleRows),
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
  { name, dataset, points }: Pick<PreparedDomain, 'name' | 'dataset' | 'points'>,
): Promise<Stream> {
  switch (spec.kind) {
    case 'random':
      return randomStream(dataset.requests.size, seed);
    case 'natural':
      return naturalStream(dataset.requests, name);
    case 'semantic':
      return semanticStream(points(), seed, spec);
    case 'gold-overlap':
      return goldOverlapStream(dataset.products, seed);
  }
}

/** The shared log of a stream: one event a request, observed at its recorded time or at its position. */
export function eventLogOf(
  stream: Stream,
  requests: Pick<Requests, 'observedAt' | 'feedbackAt'>,
  traceDepth: number,
): EventLog {
  const requestAt = stream.order;
  const size = requestAt.length;
  const positionOf = new Uint32Array(size);
  for (let position = 0; position < size; position++) positionOf[requestAt[position]!] = position;
  const recorded = stream.clockKind === 'recorded';
  const clock = (times: Float64Array) =>
    Float64Array.from(requestAt, (request, position) => (recorded ? times[request]! : position));
  return {
    size,
    clockKind: stream.clockKind,
    requestAt,
    positionOf,
    observedAt: clock(requests.observedAt),
    feedbackAt: clock(requests.feedbackAt),
    traceDepth,
    recipe: eventRecipe,
  };
}
