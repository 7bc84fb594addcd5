import { Command, Option } from 'commander';
import { mappingChoicesOf } from '../corpus/ingest/mappingChoices.js';
import { type SourceFormat, sourceFormats } from '../corpus/ingest/sourceFile.js';
import type { SearchableWorkspace } from '../search/SearchableWorkspace.js';
import type { FileReport } from '../store/workspace/ingest.js';
import type { CommitCounts } from '../store/workspace/state.js';
import type { CliContext } from './context.js';
import { describeIndexes } from './indexWorkspace.js';
import { addEmbedOption, type EmbedOptionValues, embedOf } from './options/embedOption.js';
import { addMappingOptions, type MappingOptionValues } from './options/mappingOptions.js';
import { addWorkspaceOption, type WorkspaceOptionValues } from './options/workspaceOptions.js';
import { writeJson } from './output/json.js';
import { numberOf } from './output/numberOf.js';
import { progressFor } from './output/progress.js';
import { withSearch } from './withSearch.js';

type IndexedReport = Awaited<ReturnType<SearchableWorkspace['ingest']>>;

interface IngestValues extends WorkspaceOptionValues, MappingOptionValues, EmbedOptionValues {
  format?: SourceFormat;
  onError: 'stop' | 'skip';
  backfill?: boolean;
  json?: boolean;
}

/** `asof ingest`: files into the log. */
export function ingestCommand(context: CliContext): Command {
  const command = new Command('ingest')
    .description('Read files of records into the workspace, each whole or not at all')
    .argument('<files...>', 'files, patterns such as data/*.jsonl.gz, or - for standard input');
  addWorkspaceOption(command).addOption(
    new Option('--format <format>', 'format of the files; found out from their names when absent').choices(
      sourceFormats,
    ),
  );
  return addEmbedOption(addMappingOptions(command))
    .addOption(
      new Option('--on-error <action>', 'a record that cannot be used ends the ingest, or is set aside with the reason')
        .choices(['stop', 'skip'])
        .default('stop'),
    )
    .option('--backfill', 'allow late arrivals: records from before what the log has answered already')
    .option('--json', 'print JSON')
    .action((files: string[], values: IngestValues) => ingest(context, files, values));
}

async function ingest(context: CliContext, files: string[], values: IngestValues): Promise<void> {
  const progress = progressFor(context);
  const use = async (workspace: SearchableWorkspace) => {
    const report = await workspace.ingest(files, {
      embed: embedOf(values),
      now: context.now(),
      mapping: mappingChoicesOf(values),
      format: values.format,
      onError: values.onError,
      backfill: values.backfill,
      stdin: context.stdin,
      onProgress: ({ bytes, totalBytes, file, records }) =>
        // The last bytes are read before the last records are stored.
        progress.update(Math.min(bytes, totalBytes - 1), totalBytes, 'bytes', `${file}: ${records} records`),
      onEmbedded: (done, total) => progress.update(done, total, 'texts', 'embedding'),
    });
    progress.stop();
    if (values.json) writeJson(context.stdout, { ...report, log: workspace.storage.log });
    else writeReport(context, report);
  };
  try {
    await withSearch(values, context, {}, use);
  } finally {
    progress.stop();
  }
}

function writeReport({ stdout, stderr }: CliContext, { files, totals, index }: IndexedReport): void {
  for (const file of files) {
    stdout.write(`${file.file}: ${describeCounts(file)}${file.committed ? '' : '; the log is as it was'}\n`);
    for (const line of remarks(file)) stderr.write(`${file.file}: ${line}\n`);
  }
  if (files.length > 1) stdout.write(`together: ${describeCounts(totals)}\n`);
  if (index.embedded > 0) stdout.write(`${describeIndexes(index)}\n`);
}

function describeCounts(counts: CommitCounts): string {
  const { read, added, versions, unchanged, replaced, rejected, withdrawn } = counts;
  const parts = [`${read} read`, `${added} new`, numberOf(versions, 'new version'), `${unchanged} unchanged`];
  if (replaced > 0) parts.push(`${replaced} replaced by a later record of the same instant`);
  if (withdrawn > 0) parts.push(`${withdrawn} withdrawn`);
  if (rejected > 0) parts.push(`${rejected} rejected`);
  return parts.join(', ');
}

/** What a user should know, and would not see in the counts. */
function remarks({ late, ahead, decisions, rejects }: FileReport): string[] {
  const lines: [number | boolean, string][] = [
    [late, `${numberOf(late, 'late arrival', [': it changes', ': they change'])} answers about the past`],
    [ahead, `${ahead} with an event time after ${ahead === 1 ? 'its' : 'their'} availability (announced ahead)`],
    [
      decisions.gap,
      `${numberOf(decisions.gap, 'local time')} that a clock change skipped, read with the offset from before it`,
    ],
    [
      decisions.overlap,
      `${numberOf(decisions.overlap, 'local time')} that a clock change showed twice, taken as the first`,
    ],
    [decisions.truncated, `${numberOf(decisions.truncated, 'time')} cut to milliseconds`],
    [rejects !== undefined, `rejected records and reasons in ${rejects} of the workspace`],
  ];
  return lines.flatMap(([applies, line]) => (applies ? [line] : []));
}
