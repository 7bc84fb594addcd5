import { Command } from 'commander';
import { ContractViolationError } from '../errors/ContractViolationError.js';
import { auditFolder } from '../store/runs/auditFolder.js';
import { RunReader } from '../store/runs/RunReader.js';
import type { CliContext } from './context.js';
import { loadMechanismModules, mechanismModuleOption } from './options/mechanismModuleOption.js';
import { contractText } from './output/contractTable.js';
import { writeJson } from './output/json.js';
import { progressFor } from './output/progress.js';

interface AuditValues {
  mechanismModule?: string[];
  json?: boolean;
}

/** `asof audit <run>`: recomputes a run from its artefacts. Exit code 0 it holds, 3 it does not, 2 it cannot be read. */
export function auditCommand(context: CliContext): Command {
  return new Command('audit')
    .description('Recompute every row of a run from its artefacts and check the replay contract')
    .argument('<run>', 'folder that asof replay wrote')
    .addOption(mechanismModuleOption())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExit codes: 0 the contract holds; 2 the run cannot be read; 3 the contract is violated.')
    .action((folder: string, values: AuditValues) => audit(context, folder, values));
}

async function audit(
  context: CliContext,
  folder: string,
  { json = false, mechanismModule }: AuditValues,
): Promise<void> {
  await loadMechanismModules(mechanismModule);
  const run = await RunReader.open(folder);
  const progress = progressFor(context);
  const report = await auditFolder(run, {
    threads: context.processors,
    onUnit: (done, total, label) => progress.update(done, total, 'streams', label),
  }).finally(() => progress.stop());
  if (json) writeJson(context.stdout, report);
  else context.stdout.write(contractText(report, context));
  if (!report.holds) {
    const failed = report.checks.filter((check) => check.violations > 0).map((check) => check.name);
    throw new ContractViolationError(`${folder}: contract violated: ${failed.join(', ')}`);
  }
}
