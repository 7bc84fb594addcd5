import { useMemo } from 'preact/hooks';
import { quartileName } from '../../../src/report/figures/positionPanels.js';
import type { GateReport } from '../../../src/report/gateReport.js';
import type { Report } from '../../../src/report/report.js';
import { DosePlot, EffectLegend, ForestPlot, type NamedCell, QuartilePlot } from '../charts/runCharts.js';
import { ContractOf } from '../components/contract.js';
import { Answer, Empty } from '../components/states.js';
import { Table } from '../components/Table.js';
import { Tabs } from '../components/Tabs.js';
import { count, points } from '../lib/format.js';
import { setView, usePlace } from '../lib/router.js';
import { useAsk } from '../lib/useAsk.js';
import { RowExplorer } from './RowExplorer.js';

interface RunAnswer {
  readonly name: string;
  readonly report: Report;
  readonly gate: GateReport;
  readonly cellNames: readonly string[];
}

const tabs = [
  ['effects', 'Effects'],
  ['dose', 'Dose'],
  ['position', 'Position'],
  ['metrics', 'Metrics'],
  ['rows', 'Rows'],
] as const;

type Tab = (typeof tabs)[number][0];

/** One replay run. */
export function Replay({ name }: { name: string }) {
  const { query } = usePlace();
  const tab = (tabs.find(([id]) => id === query.get('tab'))?.[0] ?? 'effects') as Tab;
  const run = useAsk<RunAnswer>(`/v1/runs/${encodeURIComponent(name)}`);
  return (
    <>
      <p class="crumbs">
        <a href="/replays">Replays</a>
      </p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <Answer of={run}>
        {(answer) => (
          <>
            <p class="lead">{answer.report.measured[0]}</p>
            {answer.report.notes.map((note) => (
              <p class="note" key={note}>
                {note}
              </p>
            ))}
            <ContractOf run={name} />
            <p>
              <a href={`/audit/${encodeURIComponent(name)}`}>Audit it, check by check</a>
            </p>
            <Tabs tabs={tabs} current={tab} label="Parts of the run" />
            <div role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`}>
              {tab === 'rows' ? (
                <RowExplorer run={name} />
              ) : (
                <Measured answer={answer} tab={tab} metric={query.get('metric')} />
              )}
            </div>
          </>
        )}
      </Answer>
    </>
  );
}

function Measured({ answer, tab, metric }: { answer: RunAnswer; tab: Tab; metric: string | null }) {
  const { report, gate, cellNames } = answer;
  const cells = useMemo<NamedCell[]>(
    () => [...report.cells, ...report.stressCells].map((cell, at) => ({ name: cellNames[at]!, cell })),
    [answer],
  );
  if (report.headline === null) return <Empty title="No anchor was replayed">{<p>The stream was too short.</p>}</Empty>;
  const known = report.metrics.find(({ name }) => name === metric) ?? report.headline;
  switch (tab) {
    case 'effects':
      return (
        <>
          <p>
            <label>
              Metric{' '}
              <select value={known.name} onChange={(event) => setView({ metric: event.currentTarget.value })}>
                {report.metrics.map(({ name, label }) => (
                  <option value={name} key={name}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          </p>
          <EffectLegend />
          <ForestPlot cells={cells} metric={known.name} />
          <Table
            caption={`The gate, by ${report.headline.label}`}
            sentences={[4]}
            head={['Cell', 'Decision', 'PIT effect', 'Hindsight gain', 'In words']}
            rows={gate.cells.map((cell, at) => [
              cellNames[at],
              <strong>{cell.decision ?? 'not decided'}</strong>,
              points(cell.pitEffect.mean),
              points(cell.hindsightGain.mean),
              cell.words ?? '',
            ])}
          />
        </>
      );
    case 'dose':
      return (
        <>
          <p>How {report.headline.label} grows as memory may look farther into the future, against past-only memory.</p>
          {cells.every(({ cell }) => cell.effects.dose.length === 0) ? (
            <Empty title="No horizon was replayed">{<p>The experiment names none.</p>}</Empty>
          ) : (
            <DosePlot cells={cells} />
          )}
        </>
      );
    case 'position':
      return (
        <>
          <p>Effects on {report.headline.label} by where in the stream the anchors are.</p>
          <EffectLegend />
          <QuartilePlot cells={cells} />
          <Table
            caption="What memory held, by place in the stream"
            head={[
              'Cell',
              'Place',
              'Anchors',
              'Slots filled, PIT',
              'Slots filled, Future',
              'Future share',
              'Nearest, PIT',
              'Nearest, Future',
            ]}
            rows={cells.flatMap(({ name, cell }) =>
              cell.effects.quartiles.map((part) => [
                name,
                quartileName(cell.effects.key, part.quartile),
                count(part.anchors),
                share(part.slotFill.pit),
                share(part.slotFill.future),
                share(part.futureSlotShare),
                part.nearestSimilarity.pit?.toFixed(3) ?? '–',
                part.nearestSimilarity.future?.toFixed(3) ?? '–',
              ]),
            )}
          />
        </>
      );
    default:
      return (
        <>
          {cells.map(({ name, cell }) => {
            const conditions = Object.keys(cell.effects.means);
            return (
              <Table
                key={name}
                caption={`${name}: means over ${count(cell.effects.requests)} requests`}
                head={['Metric', ...conditions]}
                rows={report.metrics.map((info) => [
                  info.label,
                  ...conditions.map((condition) => mean(cell.effects.means[condition]?.[info.name] ?? null, info.unit)),
                ])}
              />
            );
          })}
        </>
      );
  }
}

function share(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)}%`;
}

function mean(value: number | null, unit: string): string {
  if (value === null) return '–';
  return unit === 'points' ? (value * 100).toFixed(2) : value.toFixed(1);
}
