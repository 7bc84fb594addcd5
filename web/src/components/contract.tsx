import type { ContractFacts } from '../../../src/report/contractFacts.js';
import { moment } from '../lib/format.js';
import { useAsk } from '../lib/useAsk.js';

/** An audit that the server made or makes of a run. */
export interface AuditJob {
  readonly state: 'running' | 'done' | 'failed';
  readonly startedAt: string;
  readonly done: number;
  readonly total: number;
  readonly facts: ContractFacts | null;
  readonly error: string | null;
}

export interface AuditAnswer {
  readonly recorded: ContractFacts;
  readonly job: AuditJob | null;
}

/** What a list tells of the last audit of a run. */
export interface AuditSummary {
  readonly state: AuditJob['state'];
  readonly startedAt: string;
  readonly verdict: 'holds' | 'fails' | null;
}

/** The verdict of the last audit made here; without one, no colour: what a run says of itself certifies nothing. */
export function ContractMark({ recorded, audit }: { recorded: ContractFacts['state']; audit: AuditSummary | null }) {
  if (audit !== null && audit.verdict !== null) {
    return (
      <>
        <span class={audit.verdict === 'holds' ? 'good' : 'alarm'}>
          {audit.verdict === 'holds' ? '✓ holds' : '✕ violated'}
        </span>
        <span class="aside">audited here at {moment(audit.startedAt)}</span>
      </>
    );
  }
  const state = { running: 'being audited', failed: 'could not be audited here', done: 'not audited here' };
  return (
    <>
      {audit === null ? 'not audited here' : state[audit.state]}
      <span class="aside">{accountOf(recorded)}</span>
    </>
  );
}

function accountOf(recorded: ContractFacts['state']): string {
  return recorded === 'not audited' ? 'the run records no audit' : `the run's own record says: ${recorded}`;
}

/** The contract of a run in words: the verdict of an audit made here, else what the run says, named as its own account. */
export function ContractWords({ answer: { recorded, job } }: { answer: AuditAnswer }) {
  if (job !== null && job.facts !== null) {
    return (
      <p class={`contract ${job.facts.state}`} role="status">
        {job.facts.words} <span class="quiet">Audited here at {moment(job.startedAt)}.</span>
      </p>
    );
  }
  return (
    <p class="contract" role="status">
      <strong>Not audited here.</strong>{' '}
      <span class="quiet">
        {recorded.state === 'not audited' ? (
          'The run records no audit: nothing below is certified.'
        ) : (
          <>The run's own record says: “{recorded.words}” An audit here recomputes whether that is so.</>
        )}
      </span>
    </p>
  );
}

/** The last word on a run's contract, asked for by its name. */
export function ContractOf({ run }: { run: string }) {
  const audit = useAsk<AuditAnswer>(`/v1/runs/${encodeURIComponent(run)}/audit`);
  return audit.data === undefined ? null : <ContractWords answer={audit.data} />;
}
