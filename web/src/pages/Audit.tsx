import { useEffect, useState } from 'preact/hooks';
import type { ProofVerdict } from '../../../src/audit/contract/verifyProofs.js';
import type { ContractFacts } from '../../../src/report/contractFacts.js';
import { type AuditAnswer, ContractWords } from '../components/contract.js';
import { Answer, Empty } from '../components/states.js';
import { Table } from '../components/Table.js';
import { ask, download } from '../lib/api.js';
import { bytes, count, hash } from '../lib/format.js';
import { useAsk } from '../lib/useAsk.js';
import { type RunSummary, RunTable } from './Replays.js';

interface Certificate {
  readonly runId: string;
  readonly manifestHash: string;
  readonly eligibility: { readonly words: string; readonly version: string };
  readonly artefacts: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  readonly attestation: { readonly file: string; readonly keyIds: readonly string[] } | null;
}

/** Contract checks and certificates of runs. */
export function Audit({ name }: { name: string | undefined }) {
  const runs = useAsk<{ runs: RunSummary[] }>(name === undefined ? '/v1/runs' : null);
  if (name !== undefined) return <RunAudit name={name} />;
  return (
    <>
      <h1>Audit</h1>
      <p class="lead">Whether a historical claim is historical: every number recomputed from what it was made of.</p>
      <Answer of={runs}>
        {({ runs: list }) =>
          list.length === 0 ? (
            <Empty title="No run is served">{<p>Start the server with --runs and a folder of replays.</p>}</Empty>
          ) : (
            <RunTable runs={list} target="audit" />
          )
        }
      </Answer>
    </>
  );
}

function RunAudit({ name }: { name: string }) {
  const address = `/v1/runs/${encodeURIComponent(name)}`;
  const audit = useAsk<AuditAnswer>(`${address}/audit`);
  const certificate = useAsk<Certificate>(`${address}/certificate`);
  const [isStarting, setStarting] = useState(false);
  const isRunning = audit.data?.job?.state === 'running';
  useEffect(() => {
    if (!isRunning || audit.isLoading) return;
    const timer = setTimeout(audit.again, 700);
    return () => clearTimeout(timer);
  });
  const start = async () => {
    setStarting(true);
    await ask(`${address}/audit`, { method: 'POST' }).catch(() => undefined);
    setStarting(false);
    audit.again();
  };
  return (
    <>
      <p class="crumbs">
        <a href="/audit">Audit</a>
      </p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <Answer of={audit}>
        {(answer) => {
          const { recorded, job } = answer;
          return (
            <>
              <ContractWords answer={answer} />
              <p>
                <button type="button" onClick={start} disabled={isRunning || isStarting}>
                  {isRunning ? 'Auditing…' : 'Audit now'}
                </button>{' '}
                {isRunning && (
                  <span class="quiet">
                    {job!.done} of {job!.total} parts
                  </span>
                )}
                {job?.state === 'failed' && <span class="alarm">The audit could not be made: {job.error}</span>}
                {' · '}
                <a href={`/replays/${encodeURIComponent(name)}`}>What it measured</a>
              </p>
              <Checks facts={job?.facts ?? recorded} isVerdict={job !== null && job.facts !== null} />
            </>
          );
        }}
      </Answer>
      <Answer of={certificate}>{(data) => <CertificateView address={address} certificate={data} />}</Answer>
    </>
  );
}

/** @param isVerdict whether an audit made here found it; else it is the run's own account, without the colours of one */
function Checks({ facts, isVerdict }: { facts: ContractFacts; isVerdict: boolean }) {
  if (facts.state === 'not audited')
    return <Empty title="Not audited">{<p>Audit it now to see whether it holds.</p>}</Empty>;
  const violated = facts.checks.flatMap((check) => check.examples.map((example) => ({ check, example })));
  return (
    <>
      <h2>{isVerdict ? 'Checks' : 'Checks, as the run itself records them'}</h2>
      <Table
        caption={`${facts.checks.length} checks, ${count(facts.comparisons)} comparisons`}
        sentences={facts.checks.some(({ note }) => note !== null) ? [0, 4] : [0]}
        head={['Check', 'Outcome', 'Compared', 'Violated', 'Note']}
        rows={facts.checks.map((check) => [
          check.title,
          <Outcome of={check.outcome} isVerdict={isVerdict} />,
          count(check.checked),
          count(check.violations),
          check.note ?? '',
        ])}
      />
      {violated.length > 0 && (
        <Table
          caption="The first violations of each check"
          head={['Check', 'Where', 'Found', 'Expected']}
          sentences={[0, 1, 2, 3]}
          rows={violated.map(({ check, example }) => [
            check.title,
            example.where,
            <code>{example.found}</code>,
            <code>{example.expected}</code>,
          ])}
        />
      )}
    </>
  );
}

function Outcome({ of, isVerdict }: { of: ContractFacts['checks'][number]['outcome']; isVerdict: boolean }) {
  if (of === 'violated') return <span class="alarm">✕ {of}</span>;
  if (of === 'holds' && isVerdict) return <span class="good">✓ {of}</span>;
  return <span class="quiet">{of}</span>;
}

/** The digests of the files and the proofs, verified by the server from what the run holds. */
function Proofs({ address }: { address: string }) {
  const verdict = useAsk<ProofVerdict>(`${address}/proofs`);
  return (
    <section aria-label="Proofs">
      <h3>Proofs</h3>
      <Answer of={verdict}>
        {({ holds, files, consistency }) => (
          <>
            <p class={`contract ${holds ? 'holds' : 'fails'}`} role="status">
              {holds
                ? `✓ Verified: ${count(consistency.verified)} consistency proofs hold, and ${count(files.listed)} files are as listed.`
                : `✕ Not verified: ${count(consistency.failed)} of ${count(consistency.verified)} consistency proofs fail, and ${count(files.altered.length)} of ${count(files.listed)} files are not as listed.`}
            </p>
            <p class="quiet">
              Each anchor's memory and snapshot are shown to be prefixes of the committed logs (RFC 9162). That answers
              were computed from them is for the audit above.
            </p>
            {files.altered.length > 0 && <p class="alarm">Altered or missing: {files.altered.join(', ')}</p>}
            {consistency.first.length > 0 && (
              <Table
                caption="The first proofs that fail"
                head={['Stream', 'Anchor', 'Log', 'Found', 'Expected']}
                rows={consistency.first.map(({ domain, stream, seed, anchor, log, found, expected }) => [
                  `${domain}, ${stream}, seed ${seed}`,
                  count(anchor),
                  log,
                  <code>{found}</code>,
                  <code>{expected}</code>,
                ])}
              />
            )}
          </>
        )}
      </Answer>
    </section>
  );
}

function CertificateView({ address, certificate }: { address: string; certificate: Certificate }) {
  const { manifestHash, eligibility, artefacts, attestation } = certificate;
  const save = (file: string) => download(`${address}/files/${file}`, file.split('/').at(-1)!);
  const files = [{ path: 'manifest.json', bytes: undefined, sha256: undefined }, ...artefacts];
  return (
    <>
      <h2>Certificate</h2>
      <dl class="facts">
        <dt>Manifest</dt>
        <dd>
          <code>{manifestHash}</code>
        </dd>
        <dt>What is past</dt>
        <dd>
          {eligibility.words} <span class="quiet">({eligibility.version})</span>
        </dd>
        <dt>Signature</dt>
        <dd>
          {attestation === null ? (
            <span class="quiet">not signed; asof run sign makes an attestation</span>
          ) : (
            <>
              signed with {attestation.keyIds.join(', ')}{' '}
              <button type="button" class="link" onClick={() => save(attestation.file)}>
                Download {attestation.file}
              </button>
            </>
          )}
        </dd>
      </dl>
      <Proofs address={address} />
      <Table
        caption="Files of the run"
        head={['File', 'Size', 'SHA-256', '']}
        rows={files.map((file) => [
          file.path,
          file.bytes === undefined ? '–' : bytes(file.bytes),
          file.sha256 === undefined ? 'covers the others' : <code title={file.sha256}>{hash(file.sha256)}</code>,
          <button type="button" class="link" onClick={() => save(file.path)} aria-label={`Download ${file.path}`}>
            Download
          </button>,
        ])}
      />
    </>
  );
}
