import { type Command, Option } from 'commander';
import type { DatasetOptions } from '../../corpus/dataset.js';
import type { DatasetFormat } from '../../corpus/readers/datasetReader.js';
import { datasetFormats } from '../../corpus/readers/formats.js';
import { type EpochUnit, epochUnits } from '../../time/epoch.js';
import type { CliContext } from '../context.js';

/** Values of the options that `addDatasetOptions` adds, as commander gives them. */
export interface DatasetOptionValues {
  format?: DatasetFormat;
  assets?: string[];
  requests?: string[];
  qrels?: string[];
  split?: string;
  gold?: 'evidence' | 'page';
  tableText?: 'full' | 'headers';
  zone?: string;
  epoch?: EpochUnit;
  dateFormat?: string;
  skipInvalid?: boolean;
}

/** Adds the argument and the options that say which data set to read; every command that reads one has them. */
export function addDatasetOptions(command: Command): Command {
  return command
    .argument('[path]', 'folder or file of a data set, an https address, or - for standard input')
    .addOption(new Option('--format <format>', 'format; found out from the files when absent').choices(datasetFormats))
    .option('--assets <files...>', "files of assets, instead of the folder's")
    .option('--requests <files...>', "files of requests, instead of the folder's")
    .option('--qrels <files...>', "files of judgements, instead of the folder's")
    .option('--split <name>', 'split to read, where there are several')
    .addOption(new Option('--gold <kind>', 'tatqa: what a product is').choices(['evidence', 'page']))
    .addOption(new Option('--table-text <kind>', 'how tables become text').choices(['full', 'headers']))
    .option('--zone <name>', 'IANA time zone of times without offset')
    .addOption(new Option('--epoch <unit>', 'times are numbers that count this unit since 1970').choices(epochUnits))
    .option('--date-format <pattern>', 'times are texts in this format, such as DD/MM/YYYY')
    .option('--skip-invalid', 'leave out and count records that cannot be used');
}

export function datasetOptionsOf(
  path: string | undefined,
  values: DatasetOptionValues,
  context: CliContext,
): DatasetOptions {
  const { zone, epoch, dateFormat, ...rest } = values;
  return { ...rest, path, instants: { zone, epoch, dateFormat }, stdin: context.stdin };
}
