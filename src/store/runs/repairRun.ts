import { resolve } from 'node:path';
import type { CheckName, CheckResult, ContractReport } from '../../audit/contract/check.js';
import { auditUnits, UnitAuditor } from '../../audit/contract/UnitAuditor.js';
import { type RunIdentity, runIdOf } from '../../audit/describeRun.js';
import type { Manifest } from '../../audit/manifest.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { UnrepairableRunError } from '../../errors/UnrepairableRunError.js';
import { eventMerkleLog } from '../../replay/commitments.js';
import type { ReplayDomain } from '../../replay/domain/domain.js';
import { type ReplayProgress, replayStreams } from '../../replay/runReplay.js';
import type { PlannedStream } from '../../replay/runSink.js';
import { auditFolder } from './auditFolder.js';
import { type FinishedDomain, type FinishedRun, finishRun } from './finishRun.js';
import { type InputPaths, rebasedInputs } from './inputPaths.js';
import { inRun, runLayout } from './layout.js';
import { RunFolder } from './RunFolder.js';
import { RunReader } from './RunReader.js';
import { type RowChanges, rowChanges } from './rowChanges.js';

export interface RepairOptions {
  /** Folder of the rejected run; it is read, never written. */
  readonly rejected: string;
  /** Folder of the repaired run: another one. */
  readonly folder: string;
  readonly version: string;
  /** When, where and how: kept under `recorded`, outside every hash. */
  readonly recorded: () => Readonly<Record<string, unknown>>;
  readonly force?: boolean;
  readonly threads?: number | undefined;
  readonly onStage?: (stage: string) => void;
  readonly onProgress?: (progress: ReplayProgress) => void;
}

export interface RepairedRun extends FinishedRun {
  /** What the audit found in the rejected run. */
  readonly rejection: ContractReport;
  /** How the rows of the repaired run differ from those of the rejected one. */
  readonly changes: RowChanges;
}

/** What a repair builds on: where one of these fails, there is nothing to build on. */
const foundations: readonly CheckName[] = ['manifest', 'description'];

/**
 * Repairs a run that the audit rejects (PIT Discovery section 4.5): every view is rebuilt from the shared event log with the
 * eligibility predicate applied again, selection and ranking are made again, and the result is a new run with hashes of its
 * own, whose manifest names the rejected one and why it was rejected. No row is dropped, and no row is taken over.
 *
 * @throws InvalidArgumentError when the run holds, or `folder` is the rejected run's
 * @throws UnrepairableRunError when the shared log itself is not what the manifest commits to
 */
export async function repairRun(options: RepairOptions): Promise<RepairedRun> {
  const { rejected, folder, version, threads, onProgress, onStage = () => {} } = options;
  if (resolve(rejected) === resolve(folder)) {
    throw new InvalidArgumentError({
      argument: 'out',
      value: folder,
      expected: 'another folder than the rejected run',
    });
  }
  const run = await RunReader.open(rejected);
  const { manifest, experiment } = run;
  onStage('auditing the rejected run');
  const rejection = await auditFolder(run, { threads });
  if (rejection.holds) {
    throw new InvalidArgumentError({ argument: 'run', value: rejected, expected: 'a run that the audit rejects' });
  }
  requireSound(
    rejected,
    rejection.checks.filter(({ name }) => foundations.includes(name)),
  );

  onStage('reading the shared log');
  const domains = await readDomains(run);
  const identity = identityOf(manifest, rejection, version);
  const runId = runIdOf({ ...identity, experiment: manifest.experiment, domains: manifest.domains });
  const target = await RunFolder.open({ folder, runId, redact: manifest.redacted, force: options.force === true });
  const finished: FinishedDomain[] = [];
  for (const [name, { domain, streams }] of domains) {
    await target.adoptDomain(rejected, domain);
    for (const stream of streams) await target.writeStream(domain, stream);
    const sink = { metricNames: manifest.metrics, sink: target, threads, onProgress };
    const shards = await replayStreams(domain, streams, experiment, sink);
    const { inputs, dropped } = manifest.domains.find((recorded) => recorded.name === name)!;
    finished.push({ domain, streams, shards, inputs, dropped });
  }
  const { datasets } = manifest.recorded;
  const inputs = rebasedInputs(manifest.recorded.inputs as InputPaths | undefined, rejected, folder);
  const jsonl = manifest.artefacts.some(({ path }) => path === runLayout.rowsJsonl);
  const repaired = await finishRun({
    ...{ run: target, experiment, identity, domains: finished, jsonl, skipAudit: false, threads, onStage },
    recorded: () => ({ ...options.recorded(), inputs, datasets }),
  });
  const changes = await rowChanges(inRun(rejected, runLayout.rows), inRun(folder, runLayout.rows));
  return { ...repaired, rejection, changes };
}

type Domains = ReadonlyMap<string, { readonly domain: ReplayDomain; readonly streams: PlannedStream[] }>;

/** Domains and streams made again from the files of a run, once these are known to be what its manifest commits to. */
async function readDomains(run: RunReader): Promise<Domains> {
  const auditor = new UnitAuditor(run, run.experiment);
  const domains = new Map<string, { domain: ReplayDomain; streams: PlannedStream[] }>();
  for (const unit of auditUnits(run.experiment)) {
    const { checks, planned } = await auditor.plan(unit);
    requireSound(run.folder, checks);
    if (planned === undefined) {
      throw new UnrepairableRunError({ run: run.folder, reason: `no stream ${unit.stream + 1} of ${unit.domain}` });
    }
    const { domain, stream } = planned;
    requireCommittedEvents(run, domain, stream);
    const known = domains.get(unit.domain);
    if (known === undefined) domains.set(unit.domain, { domain, streams: [stream] });
    else known.streams.push(stream);
  }
  return domains;
}

/** The event log binds query vectors and traces, which nothing else in the manifest does. */
function requireCommittedEvents({ folder, manifest }: RunReader, domain: ReplayDomain, stream: PlannedStream): void {
  const { shards } = manifest.domains.find(({ name }) => name === domain.name)!;
  const { label } = stream;
  for (const retriever of domain.retrievers) {
    const contents = {
      requestIds: domain.requests.ids,
      vectorHashes: domain.vectorHashes,
      baseListHashes: retriever.listHashes,
    };
    const { root } = eventMerkleLog(stream.log, contents).commitment();
    const other = shards.find(
      (shard) =>
        shard.stream === label &&
        shard.seed === stream.stream.seed &&
        shard.retriever === retriever.label &&
        shard.eventLog.root !== root,
    );
    if (other === undefined) continue;
    const reason = `the event log of ${domain.name}, ${label}/${other.seed}, has root ${root}, the manifest commits to ${other.eventLog.root}`;
    throw new UnrepairableRunError({ run: folder, reason });
  }
}

function requireSound(run: string, checks: readonly CheckResult[]): void {
  const [first] = checks.filter(({ violations }) => violations > 0);
  if (first === undefined) return;
  const { where, found, expected } = first.examples[0]!;
  throw new UnrepairableRunError({ run, reason: `${first.name}: ${where}: found ${found}, expected ${expected}` });
}

function identityOf(
  manifest: Manifest,
  { checks }: ContractReport,
  version: string,
): Pick<RunIdentity, 'tool' | 'redacted' | 'repairs'> {
  const violations = checks
    .filter((check) => check.violations > 0)
    .map(({ name, violations: count }) => ({ check: name, violations: count }));
  return {
    tool: { name: 'asof', version },
    redacted: manifest.redacted,
    repairs: { runId: manifest.runId, manifest: manifest.hash, violations },
  };
}
