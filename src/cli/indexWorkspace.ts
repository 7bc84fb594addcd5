import { Command } from 'commander';
import type { BuildReport } from '../search/buildIndexes.js';
import type { CliContext } from './context.js';
import { addEmbedOption, type EmbedOptionValues, embedOf } from './options/embedOption.js';
import { addWorkspaceOption, type WorkspaceOptionValues } from './options/workspaceOptions.js';
import { writeJson } from './output/json.js';
import { numberOf } from './output/numberOf.js';
import { progressFor } from './output/progress.js';
import { withSearch } from './withSearch.js';

interface IndexValues extends WorkspaceOptionValues, EmbedOptionValues {
  json?: boolean;
}

/** `asof index`: the files that search needs. */
export function indexCommand(context: CliContext): Command {
  const command = new Command('index').description(
    'Make the indexes that segments lack, and vectors with --embed (asof ingest does so too)',
  );
  return addEmbedOption(addWorkspaceOption(command))
    .option('--json', 'print JSON')
    .action(async (values: IndexValues) => {
      const progress = progressFor(context);
      try {
        const report = await withSearch(values, context, {}, (workspace) =>
          workspace.index({
            embed: embedOf(values),
            onProgress: (done, total) => progress.update(done, total, 'texts', 'embedding'),
          }),
        );
        progress.stop();
        if (values.json) writeJson(context.stdout, report);
        else context.stdout.write(`${describeIndexes(report)}\n`);
      } finally {
        progress.stop();
      }
    });
}

export function describeIndexes({ indexed, embedded, empty }: BuildReport): string {
  const parts = [`${numberOf(indexed, 'segment')} indexed`, `${numberOf(embedded, 'text')} embedded`];
  if (empty > 0) parts.push(`${numberOf(empty, 'empty text')} without a vector`);
  return parts.join(', ');
}
