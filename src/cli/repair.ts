import { Command } from 'commander';
import { ContractViolationError } from '../errors/ContractViolationError.js';
import { type RepairedRun, repairRun } from '../store/runs/repairRun.js';
import { formatInstant } from '../time/formatInstant.js';
import type { CliContext } from './context.js';
import { loadMechanismModules, mechanismModuleOption } from './options/mechanismModuleOption.js';
import { contractText } from './output/contractTable.js';
import { writeJson } from './output/json.js';
import { progressFor } from './output/progress.js';
import { formatTable } from './output/table.js';
import { packageVersion } from './packageVersion.js';

interface RepairValues {
  out: string;
  force?: boolean;
  mechanismModule?: string[];
  json?: boolean;
}

/** `asof repair <run>`: rebuilds a rejected run from its shared log, as a new run that names the rejected one. */
export function repairCommand(context: CliContext): Command {
  return new Command('repair')
    .description('Rebuild a run that the audit rejects: views, selections and rankings again from its shared log')
    .argument('<run>', 'folder of the rejected run; it stays as it is')
    .requiredOption('--out <folder>', 'folder of the repaired run')
    .addOption(mechanismModuleOption())
    .option('--force', 'replace a run that is in the way')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 repaired; 2 nothing to repair, or a run that cannot be read; 3 it cannot be repaired.',
    )
    .action((run: string, values: RepairValues) => repair(context, run, values));
}

async function repair(context: CliContext, rejected: string, values: RepairValues): Promise<void> {
  await loadMechanismModules(values.mechanismModule);
  const progress = progressFor(context);
  const startedAt = context.now();
  const repaired = await repairRun({
    ...{ rejected, folder: values.out, version: packageVersion(), force: values.force === true },
    threads: context.processors,
    recorded: () => ({
      startedAt: formatInstant(startedAt),
      finishedAt: formatInstant(context.now()),
      repaired: rejected,
    }),
    onStage: (stage) => progress.stage(stage),
    onProgress: ({ done, total, unit, label }) => progress.update(done, total, unit, label),
  }).finally(() => progress.stop());
  const { manifest, contract, changes, folder } = repaired;
  if (values.json) {
    const { runId, hash, repairs } = manifest;
    writeJson(context.stdout, { folder, runId, hash, repairs, changes, contract });
  } else {
    context.stdout.write(repairText(repaired, context));
  }
  if (contract?.holds === false)
    throw new ContractViolationError(`${folder}: the repaired run violates the contract as well`);
}

function repairText({ manifest, contract, changes, folder }: RepairedRun, context: CliContext): string {
  const { repairs, runId, hash } = manifest;
  const rows = [
    ['rejected', `run ${repairs!.runId}, manifest ${repairs!.manifest}`],
    ['for', repairs!.violations.map(({ check, violations }) => `${check} (${violations})`).join(', ')],
    ['repaired', `run ${runId}, manifest ${hash}, in ${folder}`],
    ['rows', `${manifest.rows}: ${changes.selections} select and ${changes.rankings} rank otherwise`],
    ['', `${changes.added} were not there, ${changes.removed} had no place`],
  ];
  const verdict = contract?.holds ? 'the contract holds for the repaired run\n' : contractText(contract!, context);
  return `${formatTable(rows)}\n${verdict}`;
}
