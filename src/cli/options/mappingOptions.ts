import { type Command, Option } from 'commander';
import { type FieldMapping, parseFieldMapping } from '../../corpus/ingest/fieldMapping.js';
import type { MappingChoices } from '../../corpus/ingest/mapping.js';
import { presetNames } from '../../corpus/ingest/presets.js';
import { addInstantOptions, type InstantOptionValues, instantFormatOf } from './instantOptions.js';

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

/** Undefined when none of the options was given: what is saved with the workspace stays in force. */
export function mappingChoicesOf(values: MappingOptionValues): MappingChoices | undefined {
  const { preset, map = [], eventAt, availableAt } = values;
  const isAvailable = eventAt === 'available';
  const fields: FieldMapping = {
    ...parseFieldMapping(map),
    ...(eventAt !== undefined && !isAvailable && { eventAt }),
    ...(availableAt !== undefined && { availableAt }),
  };
  const instants = instantFormatOf(values);
  const given = [preset, eventAt, ...Object.values(fields), ...Object.values(instants)];
  if (given.every((value) => value === undefined)) return undefined;
  return { preset, fields, instants, missingEventAt: isAvailable ? 'available' : undefined };
}
