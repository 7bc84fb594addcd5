import { verifyConsistency } from '../../commitment/merkleProof.js';
import type { LogCommitment } from '../../commitment/merkleTree.js';
import type { Manifest } from '../manifest.js';
import { proofKey, type RunArtefacts, type StoredProofs, type StreamNames } from './artefacts.js';

/** What the proofs of a run are verified from. */
export interface ProofSource extends Pick<RunArtefacts, 'digests' | 'rows'> {
  readonly manifest: Manifest;
  proofs(of: StreamNames): Promise<StoredProofs>;
}

/** A prefix that a row names, with a proof that does not show it. */
export interface FailedProof {
  readonly domain: string;
  readonly stream: string;
  readonly seed: number;
  readonly anchor: number;
  readonly log: 'memory' | 'snapshot';
  readonly found: string;
  readonly expected: string;
}

/** What came of the verification of a run's certificate. */
export interface ProofVerdict {
  readonly holds: boolean;
  /** Files that the manifest lists, and those of them that are not there or not as it says. */
  readonly files: { readonly listed: number; readonly altered: readonly string[] };
  /** Consistency proofs (RFC 9162 section 2.1.4): what each anchor's rows name is a prefix of what the manifest commits to. */
  readonly consistency: { readonly verified: number; readonly failed: number; readonly first: readonly FailedProof[] };
}

/** Failed proofs that are told one by one. */
const toldFailures = 20;

/**
 * Verifies the certificate of a run by its digests and proofs alone: nothing is retrieved, replayed or recomputed, as the
 * audit does. It shows that each answer names a memory and a snapshot that are prefixes of the committed logs, in files
 * that are as they were listed; not that the answer was computed from them, which is for the audit.
 */
export async function verifyProofs(run: ProofSource): Promise<ProofVerdict> {
  const altered: string[] = [];
  let listed = 0;
  const sums = new Map(run.manifest.artefacts.map(({ path, sha256 }) => [path, sha256]));
  for await (const { path, sha256 } of run.digests()) {
    listed++;
    if (sums.get(path) !== sha256) altered.push(path);
  }
  const first: FailedProof[] = [];
  let verified = 0;
  let failed = 0;
  for (const domain of run.manifest.domains) {
    for (const { label: stream, seed } of domain.streams) {
      const names = { domain: domain.name, stream, seed };
      const { proofs } = await run.proofs(names);
      const shards = domain.shards.filter((shard) => shard.stream === stream && shard.seed === seed);
      const eventLogs = new Map(shards.map((shard) => [logKey(shard.retriever, shard.mechanism), shard.eventLog]));
      // Rows of one anchor name the same states, condition by condition.
      const known = new Set<string>();
      for await (const rows of run.rows(names)) {
        for (let row = 0; row < rows.rows; row++) {
          const [retriever, anchor] = [rows.retriever[row]!, rows.anchor_position[row]!];
          const stored = proofs.get(proofKey(retriever, anchor));
          const memory = { size: rows.memory_events[row]!, root: rows.memory_hash[row]! };
          const snapshot = { size: rows.corpus_rows[row]!, root: rows.snapshot_hash[row]! };
          const prefixes = [
            ['memory', stored?.memory, memory, eventLogs.get(logKey(retriever, rows.mechanism[row]!))],
            ['snapshot', stored?.snapshot, snapshot, domain.corpus],
          ] as const;
          for (const [log, path, prefix, whole] of prefixes) {
            const key = [log, retriever, anchor, prefix.size, prefix.root, whole?.root].join(' ');
            if (known.has(key)) continue;
            known.add(key);
            verified++;
            if (isProvenPrefix(path, prefix, whole)) continue;
            failed++;
            if (first.length < toldFailures) {
              first.push({ ...names, anchor, log, found: textOf(prefix), expected: `a prefix of ${textOf(whole)}` });
            }
          }
        }
      }
    }
  }
  const holds = altered.length === 0 && failed === 0 && verified > 0;
  return { holds, files: { listed, altered }, consistency: { verified, failed, first } };
}

/** Whether a stored proof shows that a log is a prefix of another one; none shows nothing. */
export function isProvenPrefix(
  path: readonly string[] | undefined,
  prefix: LogCommitment,
  whole: LogCommitment | undefined,
): boolean {
  if (whole === undefined || path === undefined) return false;
  return verifyConsistency({ first: prefix.size, second: whole.size, path }, prefix, whole);
}

const logKey = (retriever: string, mechanism: string) => JSON.stringify([retriever, mechanism]);

function textOf(log: LogCommitment | undefined): string {
  return `the log of ${log?.size}, root ${log?.root}`;
}
