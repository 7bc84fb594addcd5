import { Command, Option } from 'commander';
import { writeParquet } from '../../columnar/writeParquet.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { checkOutputFile, type OutputFile, writeOutputFile } from '../../files/outputFile.js';
import { verifyPublished, type WorkspaceTopics } from '../../store/topics/trackWorkspace.js';
import type { Workspace } from '../../store/workspace/Workspace.js';
import { formatInstant } from '../../time/formatInstant.js';
import type { Instant } from '../../time/instant.js';
import { publishedViews } from '../../topics/evaluation/topicViews.js';
import { topicColumns, topicsCsv, topicsJson } from '../../topics/topicRows.js';
import type { CliContext } from '../context.js';
import { countOption } from '../options/numberOption.js';
import { addTopicOptions, type TopicOptionValues } from '../options/topicOptions.js';
import { writeJson } from '../output/json.js';
import { numberOf } from '../output/numberOf.js';
import { stylerFor } from '../output/style.js';
import { eventText, noTopicText, slicesText, topicTable } from '../output/topicText.js';
import { withTopics } from './withTopics.js';

const outFormats = ['csv', 'parquet', 'json'] as const;
type OutFormat = (typeof outFormats)[number];

interface ListValues extends TopicOptionValues {
  top: string;
  last: string;
  out?: string;
  force?: boolean;
  outFormat?: OutFormat;
  verify?: boolean;
}

/** `asof topics list`, which `asof topics` is short for: the topics as of a time. */
export function listCommand(context: CliContext): Command {
  return addTopicOptions(new Command('list'))
    .description('list the topics as of a time with their course and labels')
    .option('--top <n>', 'topics listed, the largest first', '20')
    .option('--last <n>', 'slices whose volumes are drawn', '26')
    .option('-o, --out <file>', 'write every topic of every slice to a file instead')
    .option('--force', 'replace the file')
    .addOption(new Option('--out-format <format>', 'format of that file; by its name when absent').choices(outFormats))
    .option('--verify', 'recompute what was published from the asset log, and compare')
    .action(async (files: string[], values: ListValues) => {
      const most = countOption('--top', values.top)!;
      const drawn = countOption('--last', values.last)!;
      const format = values.out === undefined ? undefined : (values.outFormat ?? formatOf(values.out));
      const checks = { argument: '--out', force: values.force === true, inputs: files.filter((file) => file !== '-') };
      const output = values.out === undefined ? undefined : await checkOutputFile(values.out, checks);
      await withTopics(files, values, context, async ({ workspace, options, progress, track }) => {
        if (values.verify) {
          const count = await verifyPublished(workspace, options);
          progress.stop();
          context.stderr.write(`${count} published slices reproduced from the asset log\n`);
        }
        const topics = await track();
        progress.stop();
        remark(context, topics, options.coveredUntil);
        if (output !== undefined) {
          const rows = await writeTopics(output, format!, topics, workspace);
          context.stdout.write(`${numberOf(rows, 'row')} written to ${values.out}\n`);
        } else if (values.json) writeJson(context.stdout, await trackingJson(topics, workspace));
        else await writeList(context, topics, most, drawn);
      });
    });
}

async function writeList(context: CliContext, topics: WorkspaceTopics, most: number, drawn: number): Promise<void> {
  const { stdout } = context;
  const { slices, asOf, coveredUntil, sliceRule } = topics;
  const style = stylerFor(stdout, context);
  for (const line of slicesText(slices, asOf, coveredUntil, sliceRule.kind)) stdout.write(`${line}\n`);
  stdout.write(`${modelText(topics)}\n`);
  const published = slices.filter(({ provisional }) => !provisional);
  const views = published.length === 0 ? [] : await publishedViews(published).at(published.length - 1);
  const styleHeader = (text: string) => style('bold', text);
  const table = topicTable(slices, views, { most, drawn, styleHeader });
  stdout.write(`\n${table === '' ? `${noTopicText(slices, topics.parameters)}\n` : table}`);
  const last = published.at(-1);
  if (last !== undefined && last.events.length > 0) {
    stdout.write(`\n${last.id}: ${last.events.map(eventText).join('; ')}\n`);
  }
}

function modelText({ model, published }: WorkspaceTopics): string {
  const { availableAt, hash } = model;
  if (availableAt === null) return 'no slice is over yet, so nothing is labelled';
  const log = published.added > 0 ? `; ${numberOf(published.added, 'slice')} published now` : '';
  return `model ${hash.slice(0, 16)}, available from ${formatInstant(availableAt)}${log}`;
}

const late = [
  ' came too late for its slice and is left out',
  ' came too late for their slice and are left out',
] as const;
const undated = [' has no event time and is left out', ' have no event time and are left out'] as const;
const ahead = [' has an event time after the last slice', ' have an event time after the last slice'] as const;
const textless = [' has no text and is in no topic', ' have no text and are in no topic'] as const;

/** What a user should know, and would not see in the table. */
function remark({ stderr }: CliContext, topics: WorkspaceTopics, wanted: Instant | undefined): void {
  const { asOf, coveredUntil, counts, published, slices } = topics;
  const silent = slices.reduce((sum, { withoutVector }) => sum + withoutVector, 0);
  const told = wanted === undefined ? '' : `--covered-until ${formatInstant(wanted)}`;
  const isClamped = wanted !== undefined && wanted > coveredUntil;
  const isEarly = wanted !== undefined && slices.length === 0 && counts.ahead > 0;
  const lines: [boolean, string][] = [
    [isClamped, `${told} is after ${formatInstant(asOf)}, as of which nothing later is known: taken as that`],
    [isEarly, `${told} is before the first document: there is no slice`],
    [counts.late > 0, `${numberOf(counts.late, 'document', late)} (--lateness)`],
    [counts.undated > 0, numberOf(counts.undated, 'document', undated)],
    [counts.ahead > 0, numberOf(counts.ahead, 'document', ahead)],
    [silent > 0, numberOf(silent, 'document', textless)],
    [!published.isRetraced, 'the model of the time could not be led there again; unfinished slices are left out'],
  ];
  for (const [applies, line] of lines) if (applies) stderr.write(`${line}\n`);
}

async function trackingJson(topics: WorkspaceTopics, workspace: Workspace): Promise<object> {
  const { asOf, coveredUntil, sliceRule, parameters, counts, model, published, slices } = topics;
  const { availableAt, newestObservation, hash } = model;
  const instant = (value: number | null) => (value === null ? null : formatInstant(value));
  return {
    asOf: formatInstant(asOf),
    coveredUntil: formatInstant(coveredUntil),
    state: { ...(await workspace.stateAt(asOf)), asOf: formatInstant(asOf) },
    sliceRule,
    parameters,
    model: { hash, availableAt: instant(availableAt), newestObservation: instant(newestObservation) },
    counts,
    published,
    slices: topicsJson(slices),
  };
}

/** @returns rows written */
async function writeTopics(
  output: OutputFile,
  format: OutFormat,
  topics: WorkspaceTopics,
  workspace: Workspace,
): Promise<number> {
  const { rows, columns } = topicColumns(topics.slices);
  if (format === 'parquet') {
    if (output.isStream) {
      throw new InvalidArgumentError({ argument: '--out', value: output.path, expected: 'a regular file for Parquet' });
    }
    await writeParquet(output.path, rows, columns);
    return rows;
  }
  const text =
    format === 'csv' ? topicsCsv(topics.slices) : `${JSON.stringify(await trackingJson(topics, workspace), null, 2)}\n`;
  await writeOutputFile(output, (file) => file.writeFile(text));
  return rows;
}

function formatOf(file: string): OutFormat {
  const format = outFormats.find((known) => file.endsWith(`.${known}`));
  if (format !== undefined) return format;
  const expected = `a name that ends in ${outFormats.map((known) => `.${known}`).join(', ')}, or --out-format`;
  throw new InvalidArgumentError({ argument: 'out', value: file, expected });
}
