import { Command } from 'commander';
import { formatInstant } from '../time/formatInstant.js';
import { parseInstant } from '../time/parseInstant.js';
import type { CliContext } from './context.js';
import { addWorkspaceOption, type WorkspaceOptionValues } from './options/workspaceOptions.js';
import { writeJson } from './output/json.js';
import { withWorkspace } from './withWorkspace.js';

interface WithdrawValues extends WorkspaceOptionValues {
  at?: string;
  backfill?: boolean;
  json?: boolean;
}

/** `asof withdraw`: an end of availability. */
export function withdrawCommand(context: CliContext): Command {
  const command = new Command('withdraw')
    .description('End the availability of assets; answers as of earlier times stay as they are')
    .argument('<ids...>', 'ids of assets');
  return addWorkspaceOption(command)
    .option('--at <time>', 'first time at which they are no longer available (default: now)')
    .option('--backfill', 'allow a time before what the log has answered already')
    .option('--json', 'print JSON')
    .action(async (ids: string[], values: WithdrawValues) => {
      await withWorkspace(values, context, {}, async (workspace) => {
        const now = context.now();
        const at = values.at === undefined ? now : parseInstant(values.at);
        const commit = await workspace.withdraw(ids, { now, at, backfill: values.backfill });
        if (values.json)
          writeJson(context.stdout, { at: formatInstant(at), withdrawn: ids, late: commit.late, log: workspace.log });
        else context.stdout.write(`${commit.withdrawn} withdrawn as of ${formatInstant(at)}\n`);
        if (commit.late > 0)
          context.stderr.write(`late: answers as of ${formatInstant(at)} and after are no longer what they were\n`);
      });
    });
}
