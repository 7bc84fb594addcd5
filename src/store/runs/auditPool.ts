import type { AuditUnit, UnitResult } from '../../audit/contract/UnitAuditor.js';
import type { Manifest } from '../../audit/manifest.js';
import type { MechanismSource } from '../../replay/mechanismModule.js';
import { TaskThread } from '../../threads/TaskThread.js';

/** What the threads of an audit start from: the manifest is handed over, since a run that is being finished has no file of it. */
export interface AuditSetup {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Of the mechanisms that are modules. */
  readonly mechanismSources: readonly MechanismSource[];
}

type AuditThread = TaskThread<AuditUnit, UnitResult>;

/** Audits units of a run on a number of threads; each reads the artefacts for itself. */
export class AuditPool {
  readonly #threads: readonly AuditThread[];
  readonly #idle: AuditThread[];
  readonly #waiting: ((thread: AuditThread) => void)[] = [];

  constructor(setup: AuditSetup, threads: number) {
    const worker = new URL('./auditWorker.js', import.meta.url);
    this.#threads = Array.from({ length: threads }, () => new TaskThread(worker, setup));
    this.#idle = [...this.#threads];
  }

  /** Audits a unit on the next free thread. */
  async audit(unit: AuditUnit): Promise<UnitResult> {
    const thread = this.#idle.pop() ?? (await new Promise<AuditThread>((free) => this.#waiting.push(free)));
    try {
      return await thread.ask(unit);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(thread);
      else next(thread);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
