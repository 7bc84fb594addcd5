import { parentPort, workerData } from 'node:worker_threads';
import { type AuditUnit, UnitAuditor, type UnitResult } from '../../audit/contract/UnitAuditor.js';
import { loadMechanismSource } from '../../replay/mechanismModule.js';
import type { TaskReply } from '../../threads/TaskThread.js';
import type { AuditSetup } from './auditPool.js';
import { RunReader } from './RunReader.js';

/** A thread of `AuditPool`: audits one unit after the other. */
const { folder, manifest, mechanismSources } = workerData as AuditSetup;
for (const source of mechanismSources) await loadMechanismSource(source);
const run = RunReader.of(folder, manifest);
const auditor = new UnitAuditor(run, run.experiment);
const port = parentPort!;

port.on('message', (unit: AuditUnit) => {
  auditor.audit(unit).then(
    (result) => port.postMessage({ result } satisfies TaskReply<UnitResult>),
    (error: unknown) => port.postMessage({ error } satisfies TaskReply<UnitResult>),
  );
});
