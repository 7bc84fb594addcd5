import type { ContractReport } from '../audit/contract/check.js';
import { type GateVerdict, gate } from '../audit/gate.js';
import type { Manifest } from '../audit/manifest.js';
import type { BootstrapSettings, CellEffects } from '../replay/effects/effects.js';
import type { RunEffects } from '../replay/effects/runEffects.js';
import { type CellDimension, groupedByDimension, varyingDimensions } from './cellNames.js';
import { type ContractFacts, contractFacts } from './contractFacts.js';
import { type Finding, findings } from './findings.js';
import { measuredInWords } from './measured.js';
import { type MetricInfo, metricInfo } from './metricInfo.js';
import { type Reproduction, reproduction } from './reproduction.js';

/** What a report is made of. */
export interface ReportInput {
  readonly manifest: Manifest;
  readonly effects: RunEffects;
  /** A fresh audit of the run; the one that the manifest records where absent. */
  readonly contract?: ContractReport | null;
}

/** A cell with the gate's verdict. */
export interface CellReport {
  /** Null when the run was not audited. */
  readonly verdict: GateVerdict | null;
  readonly effects: CellEffects;
}

/** All that a report of a run says: what every format prints, and what the JSON format is. */
export interface Report {
  readonly format: 'asof-report/1';
  readonly title: string;
  /** What was measured, on what. */
  readonly measured: readonly string[];
  /** What must be said wherever results on a data set appear, with its name. */
  readonly notes: readonly string[];
  readonly contract: ContractFacts;
  /** By mechanism, over streams that did not look at relevance labels. */
  readonly findings: readonly Finding[];
  /** The same over gold-overlap streams: a stress test, never taken together with the others. */
  readonly stressFindings: readonly Finding[];
  readonly bootstrap: BootstrapSettings;
  readonly metrics: readonly MetricInfo[];
  /** The metric of every headline effect; null when no anchor was replayed. */
  readonly headline: MetricInfo | null;
  /** In which dimensions the cells differ. */
  readonly varying: readonly CellDimension[];
  /** Grouped by domain, stream, retriever and mechanism. */
  readonly cells: readonly CellReport[];
  readonly stressCells: readonly CellReport[];
  readonly reproduction: Reproduction;
  /** The run's own record: inputs with digests, seeds, budgets, hashes. */
  readonly manifest: Manifest;
}

/** All cells in the order of tables: stress streams after the others. */
export function allCells({ cells, stressCells }: Pick<Report, 'cells' | 'stressCells'>): readonly CellReport[] {
  return [...cells, ...stressCells];
}

/** Puts a report together; a function of its input alone, which reads no file and no clock. */
export function buildReport({ manifest, effects, contract }: ReportInput): Report {
  const facts = contractFacts(contract ?? manifest.contract);
  const cells = groupedByDimension(effects.cells, (cell) => cell.key).map((cell) => ({
    verdict: facts.state === 'not audited' ? null : gate(cell, facts.state === 'holds'),
    effects: cell,
  }));
  const plain = cells.filter((cell) => !cell.effects.key.streamUsesGold);
  const stress = cells.filter((cell) => cell.effects.key.streamUsesGold);
  return {
    format: 'asof-report/1',
    title: manifest.experiment.name as string,
    measured: measuredInWords(manifest, effects.cells),
    notes: notesOf(manifest),
    contract: facts,
    findings: findings(plain),
    stressFindings: findings(stress),
    bootstrap: effects.bootstrap,
    metrics: manifest.metrics.map(metricInfo),
    headline: effects.cells[0] === undefined ? null : metricInfo(effects.cells[0].headline),
    varying: varyingDimensions(effects.cells.map((cell) => cell.key)),
    cells: plain,
    stressCells: stress,
    reproduction: reproduction(manifest),
    manifest,
  };
}

function notesOf({ experiment }: Manifest): string[] {
  const datasets = experiment.datasets as readonly { name: string; note?: string }[];
  return datasets.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`]));
}
