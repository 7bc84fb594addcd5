import { Command } from 'commander';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { ModelLineage } from '../lineage/ModelLineage.js';
import { type ModelVersion, ownTime } from '../lineage/modelVersion.js';
import { RunReader } from '../store/runs/RunReader.js';
import { formatInstant } from '../time/formatInstant.js';
import type { CliContext } from './context.js';
import { addWorkspaceOption, type WorkspaceOptionValues } from './options/workspaceOptions.js';
import { writeJson } from './output/json.js';
import { formatTable } from './output/table.js';
import { withSearch } from './withSearch.js';

interface ModelValues extends WorkspaceOptionValues {
  json?: boolean;
}

/** `asof model`: what was fitted or tuned, θ, in a run or named by answers of a workspace, and what it was made from. */
export function modelCommand(context: CliContext): Command {
  const command = new Command('model').description(
    'Show the versions of everything fitted or tuned that a run used, or that answers and topics of a workspace name',
  );
  const one = 'its id or content hash (the one that an answer names), or the first digits of it';
  addWorkspaceOption(command.command('list'))
    .description('List the versions, parents before what was made from them')
    .argument('[run]', 'folder of a run (default: the workspace)')
    .option('--json', 'print JSON')
    .action(async (run: string | undefined, values: ModelValues) =>
      list(context, await versionsOf(context, run, values), values),
    );
  const oneOf = (name: string, description: string, write: typeof show) =>
    addWorkspaceOption(command.command(name))
      .description(description)
      .argument('[run]', 'folder of a run (default: the workspace)')
      .argument('[id]', one)
      .usage('[options] [run] <id>')
      .option('--json', 'print JSON')
      .action(async (...given: [string | undefined, string | undefined, ModelValues]) => {
        const [first, second, values] = given;
        const [run, id = ''] = second === undefined ? [undefined, first] : [first, second];
        const versions = await versionsOf(context, run, values);
        write(context, versions, versionNamed(versions, id), values);
      });
  oneOf('show', 'Show one version: what it is, when it was available, what it was fitted on', show);
  oneOf('lineage', 'Show what a version was made from, and how far towards the present that reaches', lineage);
  return command;
}

/** Of a run where one is named, of the workspace otherwise. */
async function versionsOf(
  context: CliContext,
  run: string | undefined,
  values: ModelValues,
): Promise<readonly ModelVersion[]> {
  if (run === undefined) {
    return withSearch(values, context, { readOnly: true }, (workspace) => workspace.models());
  }
  if (values.workspace !== undefined) {
    const expected = 'a run or a workspace, not both';
    throw new InvalidArgumentError({ argument: '--workspace', value: values.workspace, expected });
  }
  return (await RunReader.open(run)).manifest.models;
}

function list(context: CliContext, models: readonly ModelVersion[], values: ModelValues): void {
  if (values.json) {
    writeJson(context.stdout, models);
    return;
  }
  const rows = models.map((version) => [
    shortId(version.id),
    ...[version.kind, version.name, version.origin, version.reading, timeOf(version)],
  ]);
  context.stdout.write(formatTable(rows, { header: ['id', 'kind', 'name', 'origin', 'reading', 'available'] }));
}

function show(
  context: CliContext,
  _versions: readonly ModelVersion[],
  version: ModelVersion,
  values: ModelValues,
): void {
  if (values.json) {
    writeJson(context.stdout, version);
    return;
  }
  const { parameters, training, parents } = version;
  const rows = [
    ['id', version.id],
    ['kind', version.kind],
    ['name', version.name],
    ['content', version.content],
    ['origin', version.origin],
    ['reading', version.reading],
    ['available', timeOf(version)],
    ['trained on', trainingOf(training)],
    ...Object.entries(parameters).map(([name, value]) => [name, String(value)]),
    ...parents.map((parent) => ['made from', parent]),
  ];
  context.stdout.write(formatTable(rows));
}

function lineage(
  context: CliContext,
  versions: readonly ModelVersion[],
  version: ModelVersion,
  values: ModelValues,
): void {
  const all = new ModelLineage(versions);
  const { newestAt, path, undated, frozen } = all.reach(version.id);
  const ancestors = all.withAncestors(version.id);
  if (values.json) {
    writeJson(context.stdout, {
      id: version.id,
      newestAt: Number.isFinite(newestAt) ? formatInstant(newestAt) : null,
      newest: path.at(-1)!.id,
      undated: undated?.id ?? null,
      frozen: frozen.map((each) => each.id),
      ancestors,
    });
    return;
  }
  context.stdout.write(tree(version, new Map(ancestors.map((each) => [each.id, each]))));
  const newest = Number.isFinite(newestAt)
    ? `${formatInstant(newestAt)}, by ${path.at(-1)!.name}`
    : 'no dated ancestor';
  const rows = [
    ['newest', newest],
    ...(undated === undefined ? [] : [['undated', `${undated.name}: nothing says when it could first have been used`]]),
    ...frozen.map((each) => ['frozen', `${each.name}: taken as it is, nothing historical is claimed of it`]),
  ];
  context.stdout.write(`\n${formatTable(rows)}`);
}

/** The version over what it was made from, two spaces deeper at each step. */
function tree(version: ModelVersion, versions: ReadonlyMap<string, ModelVersion>, depth = 0): string {
  const { id, kind, name, parents } = version;
  const line = `${'  '.repeat(depth)}${shortId(id)}  ${kind}  ${name}  ${timeOf(version)}\n`;
  return line + parents.map((parent) => tree(versions.get(parent)!, versions, depth + 1)).join('');
}

/** @throws InvalidArgumentError when no version has an id or a content hash that begins so, or more than one has */
function versionNamed(versions: readonly ModelVersion[], id: string): ModelVersion {
  const found = versions.filter(
    (version) => id !== '' && (version.id.startsWith(id) || version.content.startsWith(id)),
  );
  if (found.length === 1) return found[0]!;
  const ids = (found.length === 0 ? versions : found).map((version) => shortId(version.id)).join(', ');
  throw new InvalidArgumentError({ argument: 'id', value: id, expected: `the beginning of one id: ${ids}` });
}

function shortId(id: string): string {
  return id.slice(0, 12);
}

function timeOf(version: ModelVersion): string {
  const at = ownTime(version);
  if (Number.isFinite(at)) return formatInstant(at);
  if (Number.isNaN(at)) return 'no date';
  return version.training !== null && 'follows' in version.training ? 'at the anchor' : '-';
}

function trainingOf(training: ModelVersion['training']): string {
  if (training === null) return '-';
  if ('follows' in training) return `${training.log}, as it is at the anchor`;
  const newest = training.newestAt === null ? 'none with a time' : `newest ${formatInstant(training.newestAt)}`;
  return `first ${training.size} entries of ${training.log}, root ${training.root}, ${newest}`;
}
