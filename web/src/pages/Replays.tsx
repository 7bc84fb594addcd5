import { type AuditSummary, ContractMark } from '../components/contract.js';
import { Answer, Empty } from '../components/states.js';
import { Table } from '../components/Table.js';
import { count, moment } from '../lib/format.js';
import { useAsk } from '../lib/useAsk.js';

export interface RunSummary {
  readonly name: string;
  readonly runId: string;
  readonly title: string;
  readonly recordedAt: string | null;
  readonly domains: readonly string[];
  readonly mechanisms: readonly string[];
  readonly cells: number;
  readonly rows: number;
  /** As the run records it. */
  readonly contract: 'holds' | 'fails' | 'not audited';
  readonly audit: AuditSummary | null;
  readonly fault: string | null;
}

/** The replay runs that are served. */
export function Replays() {
  const runs = useAsk<{ runs: RunSummary[] }>('/v1/runs');
  return (
    <>
      <h1>Replays</h1>
      <p class="lead">What memory was worth, with the past alone and with the future in it.</p>
      <Answer of={runs}>
        {({ runs: list }) =>
          list.length === 0 ? (
            <Empty title="No replay is served">
              <p>
                Make one with <code>asof replay</code>, and start the server with <code>--runs</code> and its folder.
              </p>
            </Empty>
          ) : (
            <RunTable runs={list} target="replays" />
          )
        }
      </Answer>
    </>
  );
}

/** Runs with links to what a page shows of them. */
export function RunTable({ runs, target }: { runs: readonly RunSummary[]; target: 'replays' | 'audit' }) {
  return (
    <Table
      caption={`${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`}
      head={['Run', 'Data', 'Mechanisms', 'Cells', 'Rows', 'Made', 'Contract']}
      rows={runs.map((run) => [
        run.fault === null ? (
          <a href={`/${target}/${encodeURIComponent(run.name)}`}>
            <bdi>{run.name}</bdi>
          </a>
        ) : (
          <span>
            <bdi>{run.name}</bdi> <span class="alarm">cannot be read: {run.fault}</span>
          </span>
        ),
        run.domains.join(', '),
        run.mechanisms.join(', '),
        count(run.cells),
        count(run.rows),
        run.recordedAt === null ? '–' : moment(run.recordedAt),
        <ContractMark recorded={run.contract} audit={run.audit} />,
      ])}
    />
  );
}
