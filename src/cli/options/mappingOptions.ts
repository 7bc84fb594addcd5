import { type Command, Option } from 'commander';
import { presetNames } from '../../corpus/ingest/presets.js';
import { addInstantOptions, type InstantOptionValues } from './instantOptions.js';

/** Values of the options that `addMappingOptions` adds, as commander gives them. */
export interface MappingOptionValues extends InstantOptionValues {
  preset?: string;
  map?: string[];
  eventAt?: string;
  availableAt?: string;
}

/** Adds the options that say how records become assets. */
export function addMappingOptions(command: Command): Command {
  const described = command
    .addOption(new Option('--preset <name>', 'mapping for records of a well-known kind').choices(presetNames))
    .option('--map <target=field...>', "where a field of an asset comes from, such as text=description, id='{a}/{b}'")
    .option(
      '--event-at <field>',
      "field of the event time; 'available' takes the time of availability where it is missing",
    )
    .option('--available-at <field>', 'field of the time of availability; the instant of ingest when absent');
  return addInstantOptions(described);
}
