import type { GateDecision } from '../audit/gate.js';
import type { Estimate } from '../evaluation/bootstrap/pairedBootstrap.js';
import type { CellKey } from '../replay/rows/cellRows.js';
import type { ContractFacts } from './contractFacts.js';
import type { MetricInfo } from './metricInfo.js';
import { allCells, type CellReport, type Report } from './report.js';
import { confidenceText, countText } from './words/numbers.js';
import { counted } from './words/phrases.js';

/** A row of the paper's Table 7, and what of this run falls under it. */
export interface GateSignal {
  readonly signal: string;
  readonly criterion: string;
  readonly action: string;
  readonly found: string;
}

/** The gate over one cell, with the hindsight gain beside it. */
export interface GateCell {
  readonly key: CellKey;
  /** Null when the run was not audited. */
  readonly decision: GateDecision | null;
  readonly words: string | null;
  readonly pitEffect: Estimate;
  /** Never part of the decision. */
  readonly hindsightGain: Estimate;
}

/** The release gate over a run (PIT Discovery Table 7). */
export interface GateReport {
  readonly format: 'asof-gate/1';
  readonly runId: string;
  readonly contract: ContractFacts;
  readonly metric: MetricInfo | null;
  readonly confidence: number;
  readonly signals: readonly GateSignal[];
  /** Cells of streams that look at labels come last; their key says so. */
  readonly cells: readonly GateCell[];
}

export function gateReport(report: Report): GateReport {
  const { contract, manifest, headline, bootstrap } = report;
  const cells = allCells(report);
  return {
    format: 'asof-gate/1',
    runId: manifest.runId,
    contract,
    metric: headline,
    confidence: bootstrap.confidence,
    signals: signals(report),
    cells: cells.map(({ verdict, effects }) => {
      const { pitEffect, hindsightGain } = effects.contrasts[effects.headline]!;
      return {
        key: effects.key,
        decision: verdict?.decision ?? null,
        words: verdict?.words ?? null,
        pitEffect,
        hindsightGain,
      };
    }),
  };
}

function signals({ contract, bootstrap, cells, stressCells }: Report): GateSignal[] {
  const interval = `${confidenceText(bootstrap.confidence)} CI of PIT − Stateless`;
  const violated = contract.checks.filter(({ outcome }) => outcome === 'violated').length;
  const checks = counted(contract.checks.length, 'check');
  const found = (decision: GateDecision) => {
    if (contract.state === 'fails') return 'not interpreted';
    if (contract.state === 'not audited') return 'not decided';
    const among = (list: readonly CellReport[]) =>
      `${countText(list.filter(({ verdict }) => verdict?.decision === decision).length)} of ${counted(list.length, 'cell')}`;
    return stressCells.length === 0 ? among(cells) : `${among(cells)}; under stress ${among(stressCells)}`;
  };
  return [
    {
      signal: 'Audit contract',
      criterion: 'any failure',
      action: 'Historical claim fails; rebuild from the event log.',
      found: contract.state === 'not audited' ? 'not audited' : `${violated} of ${checks} violated`,
    },
    {
      signal: 'Audit contract',
      criterion: 'all pass',
      action: 'Admit the PIT score to utility analysis.',
      found:
        contract.state === 'holds'
          ? `${checks}, ${counted(contract.comparisons, 'comparison')}`
          : contract.state === 'fails'
            ? 'no'
            : 'not audited',
    },
    {
      signal: interval,
      criterion: 'lower > 0',
      action: 'Memory helps; retain it for the tested workload.',
      found: found('retain'),
    },
    {
      signal: interval,
      criterion: 'upper < 0',
      action: 'Memory harms; reject or retune it.',
      found: found('reject or retune'),
    },
    {
      signal: interval,
      criterion: 'contains 0, or none',
      action: 'Utility is inconclusive; collect more evidence.',
      found: found('inconclusive'),
    },
  ];
}
