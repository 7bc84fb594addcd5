import { auditRun } from '../../audit/contract/auditRun.js';
import { RunReader } from '../../store/runs/RunReader.js';
import type { AuditMessage } from './RunAudits.js';

/** A process of `RunAudits`: audits the run folder that its argument names, tells how far it is, and ends. */
const tell = (message: AuditMessage) => new Promise<void>((resolve) => process.send!(message, () => resolve()));

try {
  const run = await RunReader.open(process.argv[2]!);
  const report = await auditRun(run, run.experiment, {
    onUnit: (done, total, label) => void tell({ kind: 'progress', done, total, label }),
  });
  await tell({ kind: 'done', report });
} catch (error) {
  await tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}
process.disconnect();
