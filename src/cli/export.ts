import { Command, Option } from 'commander';
import { InvalidArgumentError } from '../errors/InvalidArgumentError.js';
import { checkOutputFile, writeOutputFile } from '../files/outputFile.js';
import { type ExportFormat, type ExportOptions, exportFormats } from '../store/workspace/exportVersions.js';
import type { CliContext } from './context.js';
import { addAsOfOption, addWorkspaceOption, asOfOf, type WorkspaceOptionValues } from './options/workspaceOptions.js';
import { numberOf } from './output/numberOf.js';
import { withWorkspace } from './withWorkspace.js';

interface ExportValues extends WorkspaceOptionValues {
  asOf?: string;
  out?: string;
  format?: ExportFormat;
  history?: boolean;
  force?: boolean;
}

/** `asof export`: what was current as of a time, as a file. */
export function exportCommand(context: CliContext): Command {
  const command = new Command('export').description('Write what was current as of a time; asof ingest reads it back');
  return addAsOfOption(addWorkspaceOption(command))
    .option('-o, --out <file>', 'file to write; standard output when absent')
    .option('--force', 'replace the file')
    .addOption(
      new Option('--format <format>', 'format; by the name of the file when absent, jsonl without one').choices(
        exportFormats,
      ),
    )
    .option('--history', 'every version available by then, not the current ones alone')
    .action(async (values: ExportValues) => {
      const { out } = values;
      const format = values.format ?? formatOf(out);
      const asOf = asOfOf(values, context);
      const versions = values.history ? 'history' : 'current';
      await withWorkspace(values, context, { readOnly: true }, async (workspace) => {
        const options: ExportOptions = { asOf, format, versions };
        if (out === undefined) {
          await workspace.export(options, { write: (text) => void context.stdout.write(text) });
          return;
        }
        const inputs = [workspace.folder];
        const output = await checkOutputFile(out, { argument: '--out', force: values.force === true, inputs });
        const count = output.isStream
          ? await writeOutputFile(output, (file) =>
              workspace.export(options, { write: (text) => file.writeFile(text) }),
            )
          : await workspace.export(options, { file: output.path });
        context.stdout.write(`${numberOf(count, 'version')} written to ${out}\n`);
      });
    });
}

function formatOf(file: string | undefined): ExportFormat {
  if (file === undefined) return 'jsonl';
  const format = exportFormats.find((known) => file.endsWith(`.${known}`));
  if (format !== undefined) return format;
  const expected = `a name that ends in ${exportFormats.map((known) => `.${known}`).join(', ')}, or --format`;
  throw new InvalidArgumentError({ argument: 'out', value: file, expected });
}
