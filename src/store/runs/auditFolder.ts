import { type AuditOptions, auditRun } from '../../audit/contract/auditRun.js';
import type { ContractReport } from '../../audit/contract/check.js';
import { auditUnits } from '../../audit/contract/UnitAuditor.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { mechanismSources } from '../../replay/mechanismModule.js';
import { AuditPool } from './auditPool.js';
import type { RunReader } from './RunReader.js';

/** How a run folder is audited. */
export interface AuditFolderOptions extends Pick<AuditOptions, 'onUnit'> {
  /** Threads that audit; the report does not depend on it. One, this one, by default. */
  readonly threads?: number | undefined;
}

/**
 * Audits a run from its artefacts (PIT Discovery section 4.5), on a number of threads: hashes, views, rankings, metrics and
 * effects are made again and compared. What does not hold is in the report; only what cannot be read is an error.
 * Mechanisms that are modules must have been loaded: a run's own account of where a module lies is no reason to execute it.
 *
 * @throws MissingResourceError when a file of the run is not there, or a module has not been loaded
 * @throws ForeignFileError when one is not what its name says
 * @throws InvalidArgumentError when `threads` is no number of threads
 */
export async function auditFolder(run: RunReader, options: AuditFolderOptions = {}): Promise<ContractReport> {
  const { threads = 1, onUnit } = options;
  if (!Number.isInteger(threads) || threads < 1 || threads > 256) {
    throw new InvalidArgumentError({ argument: 'threads', value: threads, expected: 'a whole number from 1 to 256' });
  }
  const count = Math.min(threads, auditUnits(run.experiment).length);
  if (count < 2) return auditRun(run, run.experiment, { onUnit });
  const pool = new AuditPool(
    { folder: run.folder, manifest: run.manifest, mechanismSources: mechanismSources(run.experiment) },
    count,
  );
  try {
    return await auditRun(run, run.experiment, { onUnit, auditElsewhere: (unit) => pool.audit(unit) });
  } finally {
    await pool.close();
  }
}
