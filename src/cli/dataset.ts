import { Command, Option } from 'commander';
import { loadDataset, loadDatasetRecords } from '../corpus/dataset.js';
import type { DroppedCounts } from '../corpus/dropped.js';
import { knownDatasets } from '../corpus/knownDatasets.js';
import { datasetReaders } from '../corpus/readers/formats.js';
import { type ClockSummary, type DatasetSummary, summariseDataset } from '../corpus/summary.js';
import { checkTarget, writeAsofDataset } from '../corpus/writers/asofWriter.js';
import { formatInstant } from '../time/formatInstant.js';
import type { Instant } from '../time/instant.js';
import type { CliContext } from './context.js';
import { addDatasetOptions, type DatasetOptionValues, datasetOptionsOf } from './options/datasetOptions.js';
import { writeJson } from './output/json.js';
import { stylerFor } from './output/style.js';
import { formatTable } from './output/table.js';

/** `asof dataset list|info|convert`: the data sets that asof can read. */
export function datasetCommand(context: CliContext): Command {
  const command = new Command('dataset').description('List, inspect and convert data sets');
  command
    .command('list')
    .description('List the formats that can be read, and public data sets in them')
    .option('--json', 'print JSON')
    .action((values: { json?: boolean }) => list(context, values.json === true));
  addDatasetOptions(command.command('info'))
    .description('Count what a data set holds, and hash its files')
    .option('--json', 'print JSON')
    .action((path: string | undefined, values: DatasetOptionValues & { json?: boolean }) =>
      info(context, path, values),
    );
  addDatasetOptions(command.command('convert'))
    .description('Write a data set in another format')
    .addOption(new Option('--to <format>', 'format to write').choices(['asof']).makeOptionMandatory())
    .requiredOption('--out <folder>', 'folder to write into; new or empty, unless --force')
    .option('--gzip', 'compress the files')
    .option('--force', 'replace files that the folder has')
    .option('--json', 'print JSON')
    .action((path: string | undefined, values: ConvertValues) => convert(context, path, values));
  return command;
}

function list(context: CliContext, json: boolean): void {
  const formats = datasetReaders.map(({ format, summary, layout }) => ({ format, summary, layout }));
  if (json) {
    writeJson(context.stdout, { formats, datasets: knownDatasets });
    return;
  }
  const style = stylerFor(context.stdout, context);
  const styleHeader = (text: string) => style('bold', text);
  const table = formatTable(
    formats.map(({ format, summary, layout }) => [format, summary, layout]),
    { header: ['format', 'what it is', 'files'], styleHeader },
  );
  context.stdout.write(table);
  for (const dataset of knownDatasets) {
    context.stdout.write(`\n${style('bold', dataset.name)}: ${dataset.what}\n`);
    const rows = (['format', 'licence', 'clocks', 'origin', 'get'] as const).map((key) => [`  ${key}`, dataset[key]]);
    context.stdout.write(formatTable(rows));
  }
}

async function info(
  context: CliContext,
  path: string | undefined,
  values: DatasetOptionValues & { json?: boolean },
): Promise<void> {
  const dataset = await loadDataset(datasetOptionsOf(path, values, context));
  const summary = summariseDataset(dataset);
  const { name, format, detection, inputs, dropped } = dataset;
  if (values.json) {
    writeJson(context.stdout, { name, format, detection, ...summaryJson(summary), dropped, inputs });
    return;
  }
  if (detection !== undefined) context.stderr.write(`format ${detection}\n`);
  const style = stylerFor(context.stdout, context);
  context.stdout.write(`${style('bold', name)} (${format})\n\n`);
  context.stdout.write(formatTable(summaryRows(summary, dropped)));
  const header = ['file', 'role', 'bytes', 'sha256'];
  const files = inputs.map((input) => [input.path, input.role, String(input.bytes), input.sha256]);
  const styleHeader = (text: string) => style('bold', text);
  const table = formatTable(files, { header, styleHeader, alignments: ['left', 'left', 'right'] });
  context.stdout.write(`\n${table}`);
}

type ConvertValues = DatasetOptionValues & { out: string; gzip?: boolean; force?: boolean; json?: boolean };

async function convert(context: CliContext, path: string | undefined, values: ConvertValues): Promise<void> {
  await checkTarget(values.out, values.force === true);
  const records = await loadDatasetRecords(datasetOptionsOf(path, values, context));
  const { detection, format, dropped } = records.dataset;
  const outputs = await writeAsofDataset(records, values.out, {
    gzip: values.gzip,
    force: values.force,
    inputs: records.dataset.inputs.map((input) => input.path),
  });
  if (values.json) {
    writeJson(context.stdout, { format, detection, dropped, inputs: records.dataset.inputs, outputs });
    return;
  }
  if (detection !== undefined) context.stderr.write(`format ${detection}\n`);
  const counts = droppedRows(dropped).map(([reason, count]) => `${count} ${reason}`);
  if (counts.length > 0) context.stderr.write(`left out: ${counts.join(', ')}\n`);
  const rows = outputs.map((output) => [output.path, String(output.bytes), output.sha256]);
  const style = stylerFor(context.stdout, context);
  const styleHeader = (text: string) => style('bold', text);
  const header = ['file', 'bytes', 'sha256'];
  context.stdout.write(formatTable(rows, { header, styleHeader, alignments: ['left', 'right'] }));
}

/** The summary with maps as objects and instants as texts; null where there is nothing to tell. */
function summaryJson({ assets, requests, products }: DatasetSummary): object {
  const clock = ({ known, first, last }: ClockSummary) => ({ known, first: timeText(first), last: timeText(last) });
  const number = (value: number) => (Number.isNaN(value) ? null : value);
  return {
    assets: {
      ...assets,
      byType: Object.fromEntries(assets.byType),
      eventAt: clock(assets.eventAt),
      availableAt: clock(assets.availableAt),
    },
    requests: { ...requests, observedAt: clock(requests.observedAt) },
    products: {
      ...products,
      meanSize: number(products.meanSize),
      smallest: number(products.smallest),
      largest: number(products.largest),
      requestsByType: Object.fromEntries(products.requestsByType),
    },
  };
}

function timeText(instant: Instant | undefined): string | null {
  return instant === undefined ? null : formatInstant(instant);
}

function summaryRows({ assets, requests, products }: DatasetSummary, dropped: DroppedCounts): string[][] {
  const clock = (label: string, { known, first, last }: ClockSummary): string[] => [
    `  ${label}`,
    String(known),
    first === undefined || last === undefined ? '' : `${formatInstant(first)} to ${formatInstant(last)}`,
  ];
  const rows = [['assets', String(assets.total)]];
  for (const [type, count] of assets.byType) rows.push([`  type ${type}`, String(count)]);
  rows.push(
    ['  empty text', String(assets.emptyTexts)],
    ['  repeated text', String(assets.repeatedTexts)],
    clock('available at', assets.availableAt),
    clock('event at', assets.eventAt),
    ['  event after available', String(assets.eventAfterAvailable)],
    ['requests', String(requests.total)],
    ['  repeated text', String(requests.repeatedTexts)],
    clock('observed at', requests.observedAt),
    ['  later feedback', String(requests.laterFeedback)],
  );
  if (requests.total > 0) {
    const { meanSize, smallest, largest } = products;
    rows.push(['product size', meanSize.toFixed(2), `mean; ${smallest} to ${largest}`]);
    for (const [type, count] of products.requestsByType) rows.push([`  with a ${type}`, String(count), 'requests']);
    rows.push(['  assets in no product', String(products.assetsInNone)]);
  }
  const left = droppedRows(dropped);
  if (left.length > 0) rows.push(['left out', ''], ...left.map(([reason, count]) => [`  ${reason}`, String(count)]));
  return rows;
}

function droppedRows(dropped: DroppedCounts): [string, number][] {
  return Object.entries(dropped).filter(([, count]) => count > 0);
}
