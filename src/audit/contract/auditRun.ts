import { canonicalJson } from '../../commitment/canonicalJson.js';
import type { LogCommitment } from '../../commitment/merkleTree.js';
import { type EventLog, eventRecipe } from '../../memory/eventLog.js';
import { CellCollector } from '../../replay/cellRows.js';
import {
  baseListHash,
  corpusCommitment,
  eventLogCommitment,
  indexHash,
  modelHash,
  productsHash,
  requestsHash,
  typesHash,
} from '../../replay/commitments.js';
import { createMechanism } from '../../replay/createMechanism.js';
import type { Experiment } from '../../replay/experiment.js';
import { planAnchors } from '../../replay/planAnchors.js';
import { runEffects } from '../../replay/runEffects.js';
import { budgetsOf } from '../../replay/runReplay.js';
import { specLabel } from '../../replay/specLabel.js';
import { naturalStream } from '../../replay/streams/natural.js';
import { randomStream } from '../../replay/streams/random.js';
import { streamHash } from '../../replay/streams/stream.js';
import { type Manifest, manifestHash } from '../manifest.js';
import { type DomainArtefacts, type RunArtefacts, streamKey } from './artefacts.js';
import { auditShard, type ShardExpectation } from './auditShard.js';
import { type Checks, type ContractReport, contractReport, newChecks } from './check.js';
import { compareJson } from './compareJson.js';

type ManifestDomain = Manifest['domains'][number];

/**
 * Audits a run from its artefacts (PIT Discovery section 4.5): hashes, views, rankings, metrics and effects are made again
 * and compared; nothing is believed because it is stored beside the numbers.
 * @param onShard called before each shard with its label
 */
export async function auditRun(
  run: RunArtefacts,
  experiment: Experiment,
  onShard: (label: string) => void = () => {},
): Promise<ContractReport> {
  const { manifest } = run;
  const checks = newChecks();
  checks.manifest.equal(() => 'manifest.json', manifestHash(manifest), manifest.hash);
  for await (const { path, sha256 } of run.digests()) {
    const recorded = manifest.artefacts.find((artefact) => artefact.path === path)!.sha256;
    checks.artefacts.equal(() => path, sha256 ?? 'no such file', recorded);
  }
  await auditInputs(run, checks);

  const expectations = new ShardQueue(run, experiment, checks);
  const cells = new CellCollector('rows.parquet');
  let rowCount = 0;
  for await (const rows of run.rows()) {
    rowCount += rows.rows;
    const key = shardLabel(rows.domain[0], rows.stream[0], rows.seed[0], rows.retriever[0], rows.mechanism[0]);
    const expected = await expectations.next();
    const inPlace = checks.population.equal(
      () => 'rows.parquet, next shard',
      `${rows.run_id[0]}: ${key}`,
      expected === undefined ? 'no further rows' : `${manifest.runId}: ${expected.label}`,
    );
    if (!inPlace || expected === undefined) break;
    onShard(expected.label);
    auditShard(rows, expected, checks);
    // Effects are recomputed over whole shards only; a shard with rows out of place has been reported.
    if (checks.population.violations === 0) cells.add(rows);
  }
  const missing = await expectations.remaining();
  checks.population.equal(() => 'shards without rows', missing.join('; '), '');
  checks.population.equal(() => 'rows', rowCount, manifest.rows);
  if (checks.population.violations === 0) {
    const recomputed = runEffects(cells.cells(), experiment.bootstrap);
    compareJson(checks.effects, 'effects.json', await run.effects(), JSON.parse(canonicalJson(recomputed)));
  } else {
    checks.effects.note = 'not recomputed: the rows are not those of the run';
  }
  return contractReport(manifest.runId, rowCount, checks);
}

function shardLabel(...parts: readonly unknown[]): string {
  return parts.join(' / ');
}

async function auditInputs(run: RunArtefacts, checks: Checks): Promise<void> {
  let absent = 0;
  for await (const { domain, name, sha256 } of run.inputDigests()) {
    const recorded = run.manifest.domains
      .find((candidate) => candidate.name === domain)
      ?.inputs.find((input) => input.name === name)?.sha256;
    if (sha256 === null) absent++;
    else checks.inputs.equal(() => `${domain}: ${name}`, sha256, recorded);
  }
  if (absent > 0) checks.inputs.note = `${absent} input files are not in place and were not checked`;
}

/** Hands out what each shard must agree with, in the order of the rows, loading one domain at a time. */
class ShardQueue {
  readonly #generator: AsyncGenerator<ShardExpectation>;

  constructor(run: RunArtefacts, experiment: Experiment, checks: Checks) {
    this.#generator = expectShards(run, experiment, checks);
  }

  async next(): Promise<ShardExpectation | undefined> {
    const { value, done } = await this.#generator.next();
    return done ? undefined : value;
  }

  /** Labels of the shards that were not asked for. */
  async remaining(): Promise<string[]> {
    const labels: string[] = [];
    for await (const expectation of this.#generator) labels.push(expectation.label);
    return labels;
  }
}

async function* expectShards(
  run: RunArtefacts,
  experiment: Experiment,
  checks: Checks,
): AsyncGenerator<ShardExpectation> {
  for (const recorded of run.manifest.domains) {
    const domain = await run.domain(recorded.name);
    const shared = auditDomain(recorded, domain, checks);
    for (const stream of recorded.streams) {
      const log = auditStream(recorded, stream, domain, experiment, checks);
      const plan = planAnchors(
        stream.kind as Parameters<typeof planAnchors>[0],
        log,
        experiment,
        domain.products,
        domain.visibleRows,
      );
      checks.population.equal(
        () => `${recorded.name}, stream ${stream.label}/${stream.seed}: anchors`,
        plan.anchors.length,
        stream.anchors,
      );
      for (const retriever of recorded.retrievers) {
        const base = domain.bases.get(retriever.label)!;
        const eventLog = eventLogCommitment(
          log,
          domain.requests.ids,
          shared.vectorHashes,
          shared.listHashes.get(retriever.label)!,
        );
        for (const spec of experiment.mechanisms) {
          const label = specLabel(spec);
          const where = shardLabel(recorded.name, stream.label, stream.seed, retriever.label, label);
          const shard = recorded.shards.find(
            (candidate) =>
              candidate.stream === stream.label &&
              candidate.seed === stream.seed &&
              candidate.retriever === retriever.label &&
              candidate.mechanism === label,
          );
          const { idOrder } = domain.assets;
          const mechanism = createMechanism(
            spec,
            { traces: base, traceDepth: experiment.traceDepth, idOrder },
            domain.products,
          );
          const model = modelHash({
            retriever: retriever.hash,
            similarity: recorded.similarity.hash,
            mechanism: { name: mechanism.name, version: mechanism.version, parameters: mechanism.parameters },
          });
          checks.eventLog.equal(() => `${where}: manifest`, shard?.eventLog, eventLog.root);
          checks.model.equal(() => `${where}: manifest`, shard?.model, model);
          yield {
            label: where,
            runId: run.manifest.runId,
            anchors: plan.anchors,
            horizons: experiment.horizons,
            budgets: budgetsOf(experiment),
            cutoffs: experiment.cutoffs,
            hashes: {
              corpus: shared.corpus.root,
              types: shared.types,
              requests: shared.requests,
              index: shared.indexes.get(retriever.label)!,
              stream: streamHash(log.requestAt, domain.requests.ids),
              eventLog: eventLog.root,
              model,
            },
            base,
            log,
            mechanism,
            domain,
          };
        }
      }
    }
  }
}

interface DomainHashes {
  readonly corpus: LogCommitment;
  readonly types: string;
  readonly requests: string;
  readonly vectorHashes: readonly string[];
  readonly listHashes: ReadonlyMap<string, readonly string[]>;
  readonly indexes: ReadonlyMap<string, string>;
}

/** Recomputes what all shards of a domain share, and compares it with the manifest. */
function auditDomain(recorded: ManifestDomain, domain: DomainArtefacts, checks: Checks): DomainHashes {
  const where = () => `${recorded.name}: manifest`;
  const corpus = corpusCommitment(domain.assets);
  checks.corpus.equal(where, recorded.corpus.root, corpus.root);
  checks.corpus.equal(where, recorded.corpus.size, corpus.size);
  const types = typesHash(domain.assets);
  checks.types.equal(where, recorded.types, types);
  const requests = requestsHash(domain.requests);
  checks.requests.equal(where, recorded.requestsHash, requests);
  checks.requests.equal(where, recorded.products, productsHash(domain.products.offsets, domain.products.rows));
  const listHashes = new Map<string, readonly string[]>();
  const indexes = new Map<string, string>();
  for (const retriever of recorded.retrievers) {
    const base = domain.bases.get(retriever.label)!;
    const lists = domain.requests.ids.map((_, request) => baseListHash(base, request));
    listHashes.set(retriever.label, lists);
    indexes.set(retriever.label, indexHash(retriever.hash, lists));
    checks.index.equal(
      () => `${recorded.name}, ${retriever.label}: manifest`,
      retriever.index,
      indexes.get(retriever.label),
    );
  }
  return { corpus, types, requests, vectorHashes: domain.vectors.hashes(), listHashes, indexes };
}

/** Checks a stream's order and makes it again from its seed where that takes no vectors. */
function auditStream(
  recorded: ManifestDomain,
  stream: ManifestDomain['streams'][number],
  domain: DomainArtefacts,
  experiment: Experiment,
  checks: Checks,
): EventLog {
  const where = () => `${recorded.name}, stream ${stream.label}/${stream.seed}`;
  const stored = domain.streams.get(streamKey(stream.label, stream.seed))!;
  const { requestAt } = stored;
  const seen = new Set(requestAt);
  checks.stream.equal(where, seen.size, domain.requests.ids.length);
  checks.stream.equal(where, streamHash(requestAt, domain.requests.ids), stream.hash);
  const again =
    stream.kind === 'random'
      ? randomStream(domain.requests.ids.length, stream.seed)
      : stream.kind === 'natural'
        ? naturalStream(domain.requests, recorded.name)
        : undefined;
  if (again !== undefined) checks.stream.equal(where, requestAt.join(), again.order.join());
  return { ...stored, traceDepth: experiment.traceDepth, recipe: eventRecipe };
}
