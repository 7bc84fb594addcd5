import { auditRun } from '../../audit/contract/auditRun.js';
import { manifestHash } from '../../audit/manifest.js';
import { ContractViolationError } from '../../errors/ContractViolationError.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import type { RunEffects } from '../../replay/effects/runEffects.js';
import { buildReport, type Report } from '../../report/report.js';
import { digestOf } from './digestOf.js';
import { inRun, runLayout } from './layout.js';
import { RunReader } from './RunReader.js';

/**
 * The report of a run folder, from its manifest and its effects.
 * @param options.audit whether to audit the run now, instead of believing the audit that it records
 * @throws MissingResourceError when there is no run, or an unfinished one
 * @throws ContractViolationError when the manifest or the effects are not as the run left them: what a report said of
 * them would be no result of the run
 */
export async function readRunReport(folder: string, { audit = false } = {}): Promise<Report> {
  const run = await RunReader.open(folder);
  const { manifest } = run;
  const hash = manifestHash(manifest);
  if (hash !== manifest.hash) {
    const file = inRun(folder, runLayout.manifest);
    throw new ContractViolationError(
      `${file}: got a content with hash ${hash}, expected ${manifest.hash} as it records: it was changed after the run`,
    );
  }
  const effects = (await run.effects()) as RunEffects;
  const file = inRun(folder, runLayout.effectsJson);
  const digest = await digestOf(file);
  const recorded = manifest.artefacts.find(({ path }) => path === runLayout.effectsJson)?.sha256;
  if (digest !== recorded) {
    throw new ContractViolationError(
      `${file}: got SHA-256 ${digest}, expected ${recorded ?? 'none'} as the manifest records: it was changed after the run`,
    );
  }
  if (effects.format !== 'asof-effects/1') {
    throw new ForeignFileError({
      file,
      reason: `format is ${JSON.stringify(effects.format)}, this version reads asof-effects/1`,
    });
  }
  return buildReport({ manifest, effects, contract: audit ? await auditRun(run, run.experiment) : null });
}
