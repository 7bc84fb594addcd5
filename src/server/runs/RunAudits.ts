import type { ChildProcess } from 'node:child_process';
import type { ContractReport } from '../../audit/contract/check.js';
import { forkBeside } from '../../threads/forkBeside.js';
import type { Instant } from '../../time/instant.js';

/** What the process that audits tells. */
export type AuditMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number; readonly label: string }
  | { readonly kind: 'done'; readonly report: ContractReport }
  | { readonly kind: 'failed'; readonly message: string };

/** An audit that was asked for. */
export interface AuditJob {
  readonly state: 'running' | 'done' | 'failed';
  readonly startedAt: Instant;
  readonly endedAt: Instant | null;
  /** Units that are done, of `total`; 0 of 0 before the first. */
  readonly done: number;
  readonly total: number;
  readonly report: ContractReport | null;
  readonly error: string | null;
}

/** Audits of runs, each in a process of its own so that the server goes on answering; one at a time for a run. */
export class RunAudits {
  readonly #jobs = new Map<string, AuditJob>();
  readonly #processes = new Map<string, ChildProcess>();
  readonly #now: () => Instant;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** The last audit of a run folder that was asked for here. */
  of(folder: string): AuditJob | null {
    return this.#jobs.get(folder) ?? null;
  }

  /** Starts an audit, or gives the one that is at work. */
  start(folder: string): AuditJob {
    const current = this.#jobs.get(folder);
    if (current?.state === 'running') return current;
    const update = (change: Partial<AuditJob>) => this.#jobs.set(folder, { ...this.#jobs.get(folder)!, ...change });
    this.#jobs.set(folder, {
      state: 'running',
      startedAt: this.#now(),
      endedAt: null,
      done: 0,
      total: 0,
      report: null,
      error: null,
    });
    const child = forkBeside(import.meta.url, 'auditProcess', [folder]);
    this.#processes.set(folder, child);
    const end = (change: Partial<AuditJob>) => {
      if (this.#jobs.get(folder)!.state === 'running') update({ ...change, endedAt: this.#now() });
      this.#processes.delete(folder);
    };
    child.on('message', (message: AuditMessage) => {
      if (message.kind === 'progress') update({ done: message.done, total: message.total });
      else if (message.kind === 'done') end({ state: 'done', report: message.report });
      else end({ state: 'failed', error: message.message });
    });
    child.on('error', (error) => end({ state: 'failed', error: error.message }));
    child.on('exit', () => end({ state: 'failed', error: 'the audit ended without a result' }));
    return this.#jobs.get(folder)!;
  }

  async close(): Promise<void> {
    const ended = Array.from(this.#processes.values(), (child) => {
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      return exit;
    });
    await Promise.all(ended);
  }
}
