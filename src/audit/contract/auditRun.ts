import { canonicalJson } from '../../commitment/canonicalJson.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { effectsCsv } from '../../replay/effects/effectsCsv.js';
import { type RunEffects, runEffects } from '../../replay/effects/runEffects.js';
import type { Experiment } from '../../replay/experiment/experiment.js';
import { readingsOf } from '../../replay/experiment/readings.js';
import { CellCollector } from '../../replay/rows/cellRows.js';
import type { RunArtefacts, ShardNames } from './artefacts.js';
import { auditManifest } from './auditManifest.js';
import { type Checks, type ContractReport, contractReport, newChecks } from './check.js';
import { compareJson } from './compareJson.js';
import { type AuditUnit, auditUnits, shardLabel, UnitAuditor, type UnitResult } from './UnitAuditor.js';

export interface AuditOptions {
  /** Hears how many of the units are done, after each. */
  readonly onUnit?: ((done: number, total: number, label: string) => void) | undefined;
  /**
   * Audits a unit on another thread; the result does not depend on where. A unit that fails there is audited here, which
   * raises its error as it is: errors lose their class between threads.
   */
  readonly auditElsewhere?: ((unit: AuditUnit) => Promise<UnitResult>) | undefined;
}

/**
 * Audits a run from its artefacts (PIT Discovery section 4.5): hashes, views, rankings, metrics and effects are made again
 * and compared; nothing is believed because it is stored beside the numbers.
 */
export async function auditRun(
  run: RunArtefacts,
  experiment: Experiment,
  options: AuditOptions = {},
): Promise<ContractReport> {
  const { manifest } = run;
  const checks = newChecks();
  auditManifest(manifest, experiment, checks);
  await auditFiles(run, checks);
  const rowCount = await auditOrder(run, checks);

  const auditor = new UnitAuditor(run, experiment);
  const units = auditUnits(experiment);
  const { onUnit = () => {}, auditElsewhere } = options;
  // On threads all units are under way at once, and are taken in by their order; here one waits for the other.
  const pending = units.map((unit) => auditElsewhere?.(unit).catch(() => undefined));
  const cells = new CellCollector('rows.parquet');
  for (const [index, unit] of units.entries()) {
    const { checks: found, shards } = (await pending[index]) ?? (await auditor.audit(unit));
    for (const result of found) checks[result.name].absorb(result);
    if (checks.population.violations === 0) collect(cells, shards, checks);
    onUnit(index + 1, units.length, unit.domain);
  }
  await auditEffects(run, experiment, cells, checks);
  const { corpus, models } = readingsOf(experiment);
  const readings = [corpus.words, ...(models === null ? [] : [models.words])];
  return contractReport({ runId: manifest.runId, rows: rowCount, readings }, checks);
}

async function auditFiles(run: RunArtefacts, checks: Checks): Promise<void> {
  const { manifest } = run;
  const list = (paths: readonly string[]) => paths.join('; ');
  checks.artefacts.equal(
    () => 'manifest, artefacts',
    list(manifest.artefacts.map(({ path }) => path)),
    list(run.files()),
  );
  for await (const { path, sha256 } of run.digests()) {
    const recorded = manifest.artefacts.find((artefact) => artefact.path === path)!.sha256;
    checks.artefacts.equal(() => path, sha256 ?? 'no such file', recorded);
  }
  const jsonLines = await run.jsonLinesDigest();
  if (jsonLines !== null) {
    const recorded = manifest.artefacts.find(({ path }) => path === 'rows.jsonl')?.sha256;
    checks.artefacts.equal(() => 'rows.jsonl, written again from rows.parquet', recorded, jsonLines);
  }
  let absent = 0;
  for await (const { domain, name, sha256 } of run.inputDigests()) {
    const recorded = manifest.domains
      .find((candidate) => candidate.name === domain)
      ?.inputs.find((input) => input.name === name)?.sha256;
    if (sha256 === null) absent++;
    else checks.inputs.equal(() => `${domain}: ${name}`, sha256, recorded);
  }
  if (absent > 0) checks.inputs.remark(`${absent} input files are not in place and were not checked`);
}

/** Whether the shards stand in the file as the manifest lists them, and no other rows. Returns the number of rows. */
async function auditOrder(run: RunArtefacts, { population }: Checks): Promise<number> {
  const { manifest } = run;
  const label = ({ run_id, domain, stream, seed, retriever, mechanism }: ShardNames) =>
    `${run_id}: ${shardLabel(domain, stream, seed, retriever, mechanism)}`;
  const expected = manifest.domains.flatMap(({ name, shards }) =>
    shards
      .filter(({ rows }) => rows > 0)
      .map((shard) => ({ ...shard, label: label({ ...shard, run_id: manifest.runId, domain: name }) })),
  );
  let shard = 0;
  let rows = 0;
  for await (const run_ of run.shardRuns()) {
    rows += run_.rows;
    const next = expected[shard++];
    const where = () => `rows.parquet, rows ${rows - run_.rows + 1} to ${rows}`;
    population.equal(where, label(run_), next?.label ?? 'no further rows');
    if (next !== undefined) population.equal(where, run_.rows, next.rows);
  }
  population.equal(() => 'rows.parquet, shards', shard, expected.length);
  population.equal(() => 'manifest, rows', manifest.rows, rows);
  return rows;
}

function collect(cells: CellCollector, shards: UnitResult['shards'], checks: Checks): void {
  for (const shard of shards) {
    try {
      cells.add(shard);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      checks.population.holds(
        false,
        () => 'rows.parquet',
        () => error.message,
        () => 'rows in the order of conditions',
      );
      return;
    }
  }
}

async function auditEffects(
  run: RunArtefacts,
  experiment: Experiment,
  cells: CellCollector,
  { effects: check, population }: Checks,
): Promise<void> {
  if (population.violations > 0) {
    check.remark('not recomputed: the rows are not those of the run');
    return;
  }
  const recomputed = runEffects(cells.cells(), experiment.bootstrap);
  const asJson = (value: unknown): unknown => JSON.parse(canonicalJson(value));
  compareJson(check, 'effects.json', await run.effects(), asJson(recomputed));
  compareJson(check, 'manifest, summary', run.manifest.summary, asJson(recomputed.summary));
  check.holds(
    (await run.effectsCsv()) === effectsCsv(recomputed as RunEffects),
    () => 'effects.csv',
    () => 'another table',
    () => 'the effects as a table',
  );
}
