import { type Command, Option } from 'commander';
import { type EpochUnit, epochUnits } from '../../time/epoch.js';
import type { InstantFormat } from '../../time/parseInstant.js';

/** Values of the options that `addInstantOptions` adds, as commander gives them. */
export interface InstantOptionValues {
  zone?: string;
  epoch?: EpochUnit;
  dateFormat?: string;
}

/** Adds the options that say how times are written in input files. */
export function addInstantOptions(command: Command): Command {
  return command
    .option('--zone <name>', 'IANA time zone of times without offset')
    .addOption(new Option('--epoch <unit>', 'times are numbers that count this unit since 1970').choices(epochUnits))
    .option('--date-format <pattern>', 'times are texts in this format, such as DD/MM/YYYY');
}

export function instantFormatOf({ zone, epoch, dateFormat }: InstantOptionValues): InstantFormat {
  return { zone, epoch, dateFormat };
}
