import { AsofError } from '../../errors/AsofError.js';
import { ModelLineage } from '../../lineage/ModelLineage.js';
import { conditionsFor } from '../../memory/conditions.js';
import { pairwiseSimilarity } from '../../memory/vectorSimilarity.js';
import { eventMerkleLog } from '../../replay/commitments.js';
import type { ReplayDomain } from '../../replay/domain/domain.js';
import type { Experiment } from '../../replay/experiment/experiment.js';
import { specLabel } from '../../replay/experiment/specLabel.js';
import { historicalStates } from '../../replay/historicalState.js';
import { createMechanism, describeMechanism } from '../../replay/mechanisms/createMechanism.js';
import { streamRuns } from '../../replay/plan/planStream.js';
import { type EffectTable, effectColumns } from '../../replay/rows/rowTable.js';
import { budgetsOf } from '../../replay/runReplay.js';
import type { PlannedStream } from '../../replay/runSink.js';
import type { ManifestDomain } from '../manifest.js';
import { type DomainArtefacts, type RunArtefacts, type StoredProofs, streamKey } from './artefacts.js';
import { auditDomain, domainFault } from './auditDomain.js';
import { auditLineage, auditStream } from './auditStream.js';
import { type CheckResult, type Checks, checkResults, newChecks } from './check.js';
import { recomputeDomain } from './recomputeDomain.js';
import { ShardAudit, type ShardExpectation } from './ShardAudit.js';
import { StreamViews } from './StreamViews.js';

/** A part of an audit that needs no other: one stream of one domain, with all retrievers and mechanisms. */
export interface AuditUnit {
  readonly domain: string;
  /** Index into `streamRuns` of the experiment. */
  readonly stream: number;
  /** The unit that also audits what all streams of the domain share. */
  readonly isFirst: boolean;
}

export interface UnitResult {
  readonly checks: readonly CheckResult[];
  /** Rows of each shard as effects are estimated from them; none where rows are not those of the run. */
  readonly shards: readonly EffectTable[];
}

/** Units of a run, in the order of its rows. */
export function auditUnits(experiment: Experiment): AuditUnit[] {
  return experiment.datasets.flatMap(({ name }) =>
    streamRuns(experiment).map((_, stream) => ({ domain: name, stream, isFirst: stream === 0 })),
  );
}

export function shardLabel(...parts: readonly unknown[]): string {
  return parts.join(' / ');
}

/** Audits units of a run one after the other, keeping the domain at hand. */
export class UnitAuditor {
  readonly #run: RunArtefacts;
  readonly #experiment: Experiment;
  #domain:
    | { name: string; artefacts: DomainArtefacts; fault: ReturnType<typeof domainFault>; domain?: ReplayDomain }
    | undefined;

  constructor(run: RunArtefacts, experiment: Experiment) {
    this.#run = run;
    this.#experiment = experiment;
  }

  async audit(unit: AuditUnit): Promise<UnitResult> {
    const checks = newChecks();
    const shards: EffectTable[] = [];
    const recorded = this.#run.manifest.domains.find(({ name }) => name === unit.domain);
    if (recorded !== undefined) {
      const planned = await this.#plan(unit, recorded, checks);
      if (planned !== undefined) shards.push(...(await this.#auditRows(planned, unit, recorded, checks)));
    }
    return { checks: checkResults(checks), shards };
  }

  /** Domain and stream of a unit as the files give them, and what their checks found; rows are not looked at. */
  async plan(unit: AuditUnit): Promise<{ checks: readonly CheckResult[]; planned: Planned | undefined }> {
    const checks = newChecks();
    const recorded = this.#run.manifest.domains.find(({ name }) => name === unit.domain);
    const planned = recorded && (await this.#plan(unit, recorded, checks));
    return { checks: checkResults(checks), planned };
  }

  /** Domain and stream of a unit, audited apart from their rows; undefined where no row can be recomputed from them. */
  async #plan(unit: AuditUnit, recorded: ManifestDomain, checks: Checks): Promise<Planned | undefined> {
    const experiment = this.#experiment;
    if (this.#domain?.name !== unit.domain) {
      const artefacts = await this.#run.domain(unit.domain);
      const fault = domainFault(artefacts);
      this.#domain = { name: unit.domain, artefacts, fault };
      if (fault === undefined) {
        this.#domain.domain = recomputeDomain(this.#run.manifest, recorded, artefacts, experiment);
      }
    }
    const { artefacts, fault, domain } = this.#domain;
    if (domain === undefined) {
      if (unit.isFirst) {
        const { check, where, found, expected } = fault!;
        checks[check].holds(
          false,
          () => `${unit.domain}: ${where}`,
          () => found,
          () => expected,
        );
        checks.population.remark(`rows of ${unit.domain} were not recomputed: its files are not of the form`);
      }
      return undefined;
    }
    if (unit.isFirst) {
      auditDomain(recorded, domain, artefacts, experiment, this.#run.manifest.redacted, checks);
    }
    const { spec, seed } = streamRuns(experiment)[unit.stream]!;
    const key = streamKey(specLabel(spec), seed);
    const stored = artefacts.streams.get(key);
    if (stored === undefined) return undefined;
    try {
      const stream = await auditStream({ spec, seed, domain, stored, recorded, experiment }, checks);
      return stream && { domain, stream };
    } catch (error) {
      if (!AsofError.isInstance(error)) throw error;
      // The experiment asks for what the stream cannot give, so the run cannot have been made of it.
      const where = () => `${unit.domain}, stream ${key}`;
      checks.population.holds(
        false,
        where,
        () => error.message,
        () => 'a stream that the experiment can be run on',
      );
      return undefined;
    }
  }

  async #auditRows(
    { domain, stream }: Planned,
    { domain: name }: AuditUnit,
    recorded: ManifestDomain,
    checks: Checks,
  ): Promise<EffectTable[]> {
    const proofs = this.#domain!.artefacts.proofs.get(streamKey(stream.label, stream.stream.seed))!;
    const expected = this.#expectations(domain, stream, proofs, recorded, checks);
    const expectations = stream.plan.anchors.length > 0 ? expected : [];
    const proofRows = domain.retrievers.length * stream.plan.anchors.length;
    checks.prefix.equal(() => `${name}, ${stream.label}: proofs`, proofs.rows, proofRows);
    const shards: EffectTable[] = [];
    const names = { domain: name, stream: stream.label, seed: stream.stream.seed };
    for await (const rows of this.#run.rows(names)) {
      const label = shardLabel(rows.domain[0], rows.stream[0], rows.seed[0], rows.retriever[0], rows.mechanism[0]);
      const next = expectations[shards.length];
      const inPlace = checks.population.equal(() => `${name}, next shard`, label, next?.label ?? 'no further rows');
      if (!inPlace || next === undefined) return [];
      new ShardAudit(rows, next, checks).run();
      shards.push(effectTable(rows));
    }
    const missing = expectations.slice(shards.length).map(({ label }) => label);
    checks.population.equal(() => `${name}: shards without rows`, missing.join('; '), '');
    return checks.population.violations === 0 ? shards : [];
  }

  /** What each shard of a stream must agree with, in the order of the rows. */
  #expectations(
    domain: ReplayDomain,
    stream: PlannedStream,
    proofs: StoredProofs,
    recorded: ManifestDomain,
    checks: Checks,
  ): ShardExpectation[] {
    const experiment = this.#experiment;
    const { manifest } = this.#run;
    const budgets = budgetsOf(experiment);
    const conditions = conditionsFor(experiment.horizons);
    const views = new StreamViews(
      { log: stream.log, anchors: stream.plan.anchors },
      {
        conditions,
        capacity: budgets.capacity,
        reads: [...new Set(experiment.mechanisms.map((spec) => describeMechanism(spec).reads))],
        similarity: pairwiseSimilarity(domain.similarity.vectors),
      },
    );
    return domain.retrievers.flatMap((retriever, r) => {
      const { label, base, listHashes } = retriever;
      const requestIds = domain.requests.ids;
      const contents = { requestIds, vectorHashes: domain.vectorHashes, baseListHashes: listHashes };
      const events = eventMerkleLog(stream.log, contents);
      const trees = { events, assets: domain.assetTree };
      const states = historicalStates(stream.plan.anchors, stream.log, trees, domain.visibleRows);
      return experiment.mechanisms.map((spec, m): ShardExpectation => {
        const mechanismLabel = specLabel(spec);
        const { seed } = stream.stream;
        const shard = recorded.shards.find(
          (candidate) =>
            candidate.stream === stream.label &&
            candidate.seed === seed &&
            candidate.retriever === label &&
            candidate.mechanism === mechanismLabel,
        );
        const where = shardLabel(recorded.name, stream.label, seed, label, mechanismLabel);
        const atManifest = () => `${where}: manifest`;
        const state = domain.models.states[r]![m]!;
        checks.eventLog.equal(atManifest, shard?.eventLog.root, events.commitment().root);
        checks.eventLog.equal(atManifest, shard?.eventLog.size, events.size);
        checks.model.equal(atManifest, shard?.model, state.id);
        checks.population.equal(atManifest, shard?.rows, stream.plan.anchors.length * conditions.length);
        auditLineage(where, shard?.model, stream, experiment, this.#lineage(), checks.lineage);
        const context = { traces: base, traceDepth: experiment.traceDepth, idOrder: domain.assets.idOrder };
        return {
          label: where,
          runId: manifest.runId,
          domain,
          stream,
          views,
          conditions,
          budgets,
          cutoffs: experiment.cutoffs,
          hashes: {
            corpus: domain.assetTree.commitment().root,
            types: domain.typesHash,
            requests: domain.requestsHash,
            index: retriever.indexHash,
            stream: stream.hash,
            eventLog: events.commitment().root,
            model: state.id,
          },
          base,
          mechanism: createMechanism(spec, context, domain.products),
          isOwn: spec.kind === 'module',
          states,
          proofs: proofs.proofs,
          recorded: { eventLog: shard?.eventLog, corpus: recorded.corpus },
        };
      });
    });
  }

  /** The versions of the manifest, or why they form no lineage. */
  #lineage(): ModelLineage | string {
    this.#models ??= lineageOf(this.#run.manifest.models);
    return this.#models;
  }
  #models: ModelLineage | string | undefined;
}

/** A domain and one of its streams, made again from the files. */
export interface Planned {
  readonly domain: ReplayDomain;
  readonly stream: PlannedStream;
}

function lineageOf(models: ConstructorParameters<typeof ModelLineage>[0]): ModelLineage | string {
  try {
    return new ModelLineage(models);
  } catch (error) {
    if (AsofError.isInstance(error)) return error.message;
    throw error;
  }
}

function effectTable(rows: EffectTable): EffectTable {
  const columns = Object.fromEntries(effectColumns.map((name) => [name, rows[name]]));
  return { rows: rows.rows, metrics: rows.metrics, ...columns } as EffectTable;
}
