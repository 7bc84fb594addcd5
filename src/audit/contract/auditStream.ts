import { ModelLineage } from '../../lineage/ModelLineage.js';
import type { ReplayDomain } from '../../replay/domain/domain.js';
import type { Experiment, StreamSpec } from '../../replay/experiment/experiment.js';
import { specLabel } from '../../replay/experiment/specLabel.js';
import { planOrder } from '../../replay/plan/planStream.js';
import type { PlannedStream } from '../../replay/runSink.js';
import { goldOverlapStream } from '../../replay/streams/goldOverlap.js';
import { naturalStream } from '../../replay/streams/natural.js';
import { randomStream } from '../../replay/streams/random.js';
import { semanticStream } from '../../replay/streams/semantic.js';
import type { Stream } from '../../replay/streams/stream.js';
import { formatInstant } from '../../time/formatInstant.js';
import { describeDomain } from '../describeRun.js';
import type { ManifestDomain } from '../manifest.js';
import type { StoredStream } from './artefacts.js';
import type { Check, Checks } from './check.js';
import { clockText } from './clockText.js';
import { compareJson } from './compareJson.js';

export interface StreamAudit {
  readonly spec: StreamSpec;
  readonly seed: number;
  readonly domain: ReplayDomain;
  readonly stored: StoredStream;
  readonly recorded: ManifestDomain;
  readonly experiment: Experiment;
}

/**
 * Checks a stream's order and clocks, and makes it again from its seed where the artefacts allow.
 * @returns the stream planned again; undefined where its order is none
 * @throws AsofError when the experiment cannot be run on such a stream
 */
export async function auditStream(audit: StreamAudit, checks: Checks): Promise<PlannedStream | undefined> {
  const { spec, seed, domain, stored, recorded, experiment } = audit;
  const label = specLabel(spec);
  const where = () => `${domain.name}, stream ${label}/${seed}`;
  const { requestAt } = stored;
  const requests = domain.requests.ids.length;
  const isOrder =
    requestAt.length === requests && new Set(requestAt).size === requests && requestAt.every((r) => r < requests);
  if (
    !checks.stream.holds(
      isOrder,
      where,
      () => 'an order that repeats or omits requests',
      () => 'each request once',
    )
  ) {
    checks.population.remark(`rows of ${where()} were not recomputed`);
    return undefined;
  }
  const entry = recorded.streams.find((candidate) => candidate.label === label && candidate.seed === seed);
  const again = await generateAgain(audit);
  if (again === undefined)
    checks.stream.remark(`${where()}: the vectors that it clusters are not kept, not made again`);
  else {
    const different = requestAt.findIndex((request, position) => request !== again.order[position]);
    checks.stream.holds(
      different < 0,
      where,
      () => `another request at ${different}`,
      () => `the order of seed ${seed}`,
    );
  }
  const stream: Stream = {
    kind: spec.kind,
    seed,
    usesGold: spec.kind === 'gold-overlap',
    clockKind: spec.kind === 'natural' ? 'recorded' : 'position',
    order: requestAt,
    parameters: again?.parameters ?? entry?.parameters ?? {},
  };
  const planned = planOrder(label, stream, domain, experiment);
  compareJson(checks.stream, where(), entry, describeDomain({ domain, streams: [planned], shards: [] }).streams[0]);
  for (const [name, times, expected] of [
    ['observed_at', stored.observedAt, planned.log.observedAt],
    ['feedback_at', stored.feedbackAt, planned.log.feedbackAt],
  ] as const) {
    const different = times.findIndex((time, position) => !Object.is(time, expected[position]));
    checks.stream.holds(
      different < 0,
      () => `${where()}, ${name} at ${different}`,
      () => clockText(stream.clockKind, times[different]),
      () => clockText(stream.clockKind, expected[different]),
    );
  }
  return planned;
}

/** The stream from its seed; undefined where that takes vectors that the run does not keep. */
async function generateAgain({ spec, seed, domain }: StreamAudit): Promise<Stream | undefined> {
  const { requests, products, name, similarity } = domain;
  switch (spec.kind) {
    case 'random':
      return randomStream(requests.ids.length, seed);
    case 'natural':
      return naturalStream(requests, name);
    case 'gold-overlap':
      return goldOverlapStream(products, seed);
    case 'semantic': {
      const { vectors } = similarity;
      if (vectors.kind === 'sparse') return undefined;
      const points = { matrix: vectors.values, count: requests.ids.length, dimension: vectors.dimension };
      return semanticStream(points, seed, spec);
    }
  }
}

/**
 * Whether the θ of a shard was there before its first anchor: the newest time among its ancestors, frozen ones apart. Streams
 * without a clock, and frozen corpora, claim no such thing.
 */
export function auditLineage(
  where: string,
  model: string | undefined,
  { log, plan }: PlannedStream,
  { corpus }: Experiment,
  lineage: ModelLineage | string,
  check: Check,
): void {
  const isRegistered = lineage instanceof ModelLineage && model !== undefined && lineage.get(model) !== undefined;
  const found = () => (lineage instanceof ModelLineage ? `model ${model}` : lineage);
  check.holds(
    isRegistered,
    () => where,
    found,
    () => 'a version of the manifest, with its ancestors',
  );
  const [first] = plan.anchors;
  if (!isRegistered || corpus === 'frozen' || first === undefined) return;
  const { newestAt, path, undated } = lineage.reach(model);
  const firstAt = log.observedAt[first.position]!;
  check.holds(
    undated === undefined && newestAt < firstAt,
    () => where,
    () => `${(undated ?? path.at(-1)!).name}, ${undated ? 'without a date' : `of ${formatInstant(newestAt)}`}`,
    () => `before the first anchor, ${formatInstant(firstAt)}`,
  );
}
