import { type Command, Option } from 'commander';
import type { DatasetOptions } from '../../corpus/dataset.js';
import type { DatasetFormat } from '../../corpus/readers/datasetReader.js';
import { datasetFormats } from '../../corpus/readers/formats.js';
import type { CliContext } from '../context.js';
import { addInstantOptions, type InstantOptionValues, instantFormatOf } from './instantOptions.js';

/** Values of the options that `addDatasetOptions` adds, as commander gives them. */
export interface DatasetOptionValues extends InstantOptionValues {
  format?: DatasetFormat;
  assets?: string[];
  requests?: string[];
  qrels?: string[];
  split?: string;
  gold?: 'evidence' | 'page';
  tableText?: 'full' | 'headers';
  skipInvalid?: boolean;
}

/** Adds the argument and the options that say which data set to read; every command that reads one has them. */
export function addDatasetOptions(command: Command): Command {
  const described = command
    .argument('[path]', 'folder or file of a data set, an https address, or - for standard input')
    .addOption(new Option('--format <format>', 'format; found out from the files when absent').choices(datasetFormats))
    .option('--assets <files...>', "files of assets, instead of the folder's")
    .option('--requests <files...>', "files of requests, instead of the folder's")
    .option('--qrels <files...>', "files of judgements, instead of the folder's")
    .option('--split <name>', 'split to read, such as dev, where there are several')
    .addOption(
      new Option('--gold <kind>', 'tatqa: what a product is (default: evidence)').choices(['evidence', 'page']),
    )
    .addOption(
      new Option('--table-text <kind>', 'how tables become text (default: full)').choices(['full', 'headers']),
    );
  return addInstantOptions(described).option('--skip-invalid', 'leave out and count records that cannot be used');
}

export function datasetOptionsOf(
  path: string | undefined,
  values: DatasetOptionValues,
  context: CliContext,
): DatasetOptions {
  const { zone: _zone, epoch: _epoch, dateFormat: _dateFormat, ...rest } = values;
  return { ...rest, path, instants: instantFormatOf(values), stdin: context.stdin };
}
