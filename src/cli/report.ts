import { extname } from 'node:path';
import { Command, Option } from 'commander';
import { checkOutputFile, writeOutputFile } from '../files/outputFile.js';
import { type ReportFormat, renderReport, reportFormats } from '../report/renderReport.js';
import { inRun, runLayout } from '../store/runs/layout.js';
import { readRunReport } from '../store/runs/readRunReport.js';
import type { CliContext } from './context.js';

interface ReportValues {
  format?: ReportFormat;
  out?: string;
  force?: boolean;
}

const exitCodes = `
Exit codes: 0 written, whatever the report says; 2 no run, or a file that is there already; 3 the manifest or the effects
were changed after the run; 8 the file cannot be written.`;

/** `asof report <run>`: what a run measured, as one page, as Markdown or as data. */
export function reportCommand(context: CliContext): Command {
  return new Command('report')
    .description('Report a replay run: effects, audit, gate, inputs and how to make it again')
    .argument('<run>', 'folder of the run')
    .addOption(
      new Option(
        '--format <format>',
        'html: one page without scripts; md: tables; json: data (default: by --out, else html)',
      ).choices(reportFormats),
    )
    .option('--out <file>', 'file to write; standard output when absent')
    .option('--force', 'replace the file')
    .addHelpText('after', exitCodes)
    .action((run: string, values: ReportValues) => report(context, run, values));
}

async function report(context: CliContext, run: string, { out, force, format }: ReportValues): Promise<void> {
  const content = await readRunReport(run);
  const text = renderReport(content, format ?? formatOf(out));
  if (out === undefined) {
    context.stdout.write(text);
    return;
  }
  const read = [runLayout.manifest, ...content.manifest.artefacts.map((artefact) => artefact.path)];
  const inputs = read.map((relative) => inRun(run, relative));
  const output = await checkOutputFile(out, { argument: '--out', force: force === true, inputs });
  await writeOutputFile(output, (file) => file.writeFile(text));
}

/** The format that a file's name asks for. */
function formatOf(out: string | undefined): ReportFormat {
  const extension = out === undefined ? '' : extname(out).slice(1).toLowerCase();
  return reportFormats.find((format) => format === extension) ?? 'html';
}
