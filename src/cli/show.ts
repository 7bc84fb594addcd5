import { Command } from 'commander';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import type { DatedVersion } from '../store/workspace/assetVersion.js';
import { datedVersionJson, versionJson } from '../store/workspace/versionJson.js';
import type { ShownAsset } from '../store/workspace/Workspace.js';
import { formatInstant } from '../time/formatInstant.js';
import type { CliContext } from './context.js';
import { addAsOfOption, addWorkspaceOption, asOfOf, type WorkspaceOptionValues } from './options/workspaceOptions.js';
import { writeJson } from './output/json.js';
import { formatTable } from './output/table.js';
import { visible } from './output/visible.js';
import { withWorkspace } from './withWorkspace.js';

interface ShowValues extends WorkspaceOptionValues {
  asOf?: string;
  history?: boolean;
  json?: boolean;
}

const exitCodes = `
Exit codes: 0 shown, also where nothing was current as of the time; 2 no such asset at any time, or no workspace.`;

/** `asof show`: what an asset said as of a time. */
export function showCommand(context: CliContext): Command {
  const command = new Command('show')
    .description('Show what an asset said as of a time, or all that it ever said')
    .argument('<id>', 'id of an asset');
  return addAsOfOption(addWorkspaceOption(command))
    .option('--history', 'list every version, with the interval in which it was current')
    .option('--json', 'print JSON')
    .addHelpText('after', exitCodes)
    .action(async (id: string, values: ShowValues) => {
      const asOf = asOfOf(values, context);
      await withWorkspace(values, context, { readOnly: true }, async (workspace) => {
        const versions = await workspace.versions(id);
        if (versions.length === 0) {
          throw new InvalidArgumentError({
            argument: 'id',
            value: id,
            expected: 'an asset that was ever in the workspace',
          });
        }
        if (values.history) writeHistory(context, id, versions, values.json === true);
        else writeShown(context, await workspace.show(id, asOf), values.json === true);
      });
    });
}

function writeShown({ stdout }: CliContext, { id, version, state }: ShownAsset, json: boolean): void {
  const asOf = formatInstant(state.asOf);
  if (json) {
    writeJson(stdout, {
      id,
      asOf,
      version: version === undefined ? null : versionJson(version),
      state: { ...state, asOf },
    });
    return;
  }
  if (version === undefined) {
    stdout.write(`${visible(id)}: nothing current as of ${asOf}\n`);
    return;
  }
  const rows = [
    ['id', id],
    ['as of', asOf],
    ['type', version.type],
    ['event at', formatInstant(version.eventAt)],
    ['available at', formatInstant(version.availableAt)],
    ['entities', version.entities.join(', ')],
    ['fields', version.fields ?? ''],
    ['content', version.contentHash],
    ['state', `${state.size} operations, root ${state.root}`],
  ];
  stdout.write(formatTable(rows.filter(([, value]) => value !== '')));
  const text = [version.title ?? '', version.text].filter((part) => part !== '').join('\n');
  stdout.write(`\n${visible(text, '\n\t')}\n`);
}

function writeHistory({ stdout }: CliContext, id: string, versions: readonly DatedVersion[], json: boolean): void {
  if (json) {
    const dated = versions.map(datedVersionJson);
    writeJson(stdout, { id, versions: dated });
    return;
  }
  const rows = versions.map(({ availableAt, endsAt, endedBy, eventAt, contentHash }) => [
    formatInstant(availableAt),
    endsAt === undefined ? '' : formatInstant(endsAt),
    endedBy ?? 'current',
    formatInstant(eventAt),
    contentHash.slice(0, 16),
  ]);
  stdout.write(formatTable(rows, { header: ['available at', 'ends at', 'ended by', 'event at', 'content'] }));
}
