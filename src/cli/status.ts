import { Command } from 'commander';
import type { WorkspaceStatus } from '../store/workspace/status.js';
import { statusJson } from '../store/workspace/statusJson.js';
import { formatInstant } from '../time/formatInstant.js';
import type { CliContext } from './context.js';
import { addAsOfOption, addWorkspaceOption, asOfOf, type WorkspaceOptionValues } from './options/workspaceOptions.js';
import { writeJson } from './output/json.js';
import { formatTable } from './output/table.js';
import { withWorkspace } from './withWorkspace.js';

interface StatusValues extends WorkspaceOptionValues {
  asOf?: string;
  verify?: boolean;
  json?: boolean;
}

/** `asof status`: what a workspace holds. */
export function statusCommand(context: CliContext): Command {
  const command = new Command('status').description('Count what a workspace holds, and how it came there');
  return addAsOfOption(addWorkspaceOption(command))
    .option('--verify', 'check every file against its hash, and the log against its commitments')
    .option('--json', 'print JSON')
    .action(async (values: StatusValues) => {
      await withWorkspace(values, context, { readOnly: true }, async (workspace) => {
        if (values.verify) await workspace.verify();
        const status = await workspace.status(asOfOf(values, context));
        const isVerified = values.verify === true;
        if (values.json)
          writeJson(context.stdout, { workspace: workspace.folder, ...statusJson(status), verified: isVerified });
        else context.stdout.write(formatTable(statusRows(workspace.folder, status, isVerified)));
      });
    });
}

function statusRows(folder: string, status: WorkspaceStatus, verified: boolean): string[][] {
  const { log, totals, availableAt, mapping, derived } = status;
  const rows = [
    ['workspace', folder, `format version ${status.formatVersion}`],
    ['log', `${log.size}`, `operations, root ${log.root}`],
    ['assets', `${status.assets}`, `${status.current} current as of ${formatInstant(status.asOf)}`],
    [
      'versions',
      `${status.versions}`,
      availableAt ? `${formatInstant(availableAt.first)} to ${formatInstant(availableAt.last)}` : '',
    ],
    ['withdrawals', `${status.withdrawals}`, ''],
    ['late arrivals', `${totals.late}`, 'from before what the log had answered when they came'],
    ['announced ahead', `${totals.ahead}`, 'with an event time after their availability'],
    ['unchanged', `${totals.unchanged}`, 'records put again while current, in commits that changed something'],
    ['rejected', `${totals.rejected}`, 'records set aside'],
    ['commits', `${status.commits.length}`, ''],
    ['segments', `${status.segments.length}`, ''],
    ['derived files', `${derived.files}`, `${derived.bytes} bytes`],
  ];
  if (mapping !== null) {
    const fields = Object.entries(mapping.fields).map(([target, source]) => `${target}=${source}`);
    rows.push(['mapping', mapping.preset, fields.join(' ')]);
  }
  if (verified) rows.push(['verified', 'yes', 'files and commitments are whole']);
  return rows;
}
