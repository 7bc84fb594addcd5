import { type Command, Option } from 'commander';
import type { AuditLogOptions, LogFile } from '../../audit/external/auditLog.js';
import type { DuplicateRule } from '../../audit/external/EventGraph.js';
import type { FieldMap, LogOptions } from '../../audit/external/formats/logFormat.js';
import { logFormatNamed, logFormatOfFile, logFormats } from '../../audit/external/formats/logFormats.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { parseDuration } from '../../time/duration.js';
import { parseInstant } from '../../time/parseInstant.js';
import { addInstantOptions, type InstantOptionValues, instantFormatOf } from './instantOptions.js';
import { namedOption } from './namedOption.js';

/** Values of the options that `addAuditLogOptions` adds, as commander gives them. */
export interface AuditLogOptionValues extends InstantOptionValues {
  events: string[];
  answers: string[];
  preset?: string;
  eventsPreset?: string;
  answersPreset?: string;
  map?: string[];
  listSeparator?: string;
  askedAt?: string;
  clockSkew: string;
  duplicates: DuplicateRule;
  unknown: 'fault' | 'partial';
  keep: string;
}

/** Adds the options that say which logs to audit, how they are written, and by which rules. */
export function addAuditLogOptions(command: Command): Command {
  const presets = logFormats.map(({ name }) => name);
  const described = command
    .requiredOption('--events <files...>', 'logs of what the system observed; - for standard input')
    .requiredOption('--answers <files...>', 'logs of what it answered, and what each answer used')
    .addOption(new Option('--preset <name>', 'how the logs are written; by their names when absent').choices(presets))
    .addOption(new Option('--events-preset <name>', 'how the event logs are written').choices(presets))
    .addOption(new Option('--answers-preset <name>', 'how the answer logs are written').choices(presets))
    .option('--map <field=path>', 'a field that is elsewhere: used=hits.id, askedAt=ts; may be repeated', collect)
    .option('--list-separator <text>', 'what stands between ids in a cell of a CSV file (default ";")')
    .option('--asked-at <instant>', 'when answers without a clock were asked for');
  return addInstantOptions(described)
    .option('--clock-skew <duration>', 'tolerate entries observed up to this long after the answer', '0s')
    .addOption(
      new Option('--duplicates <rule>', 'two times for one event id: a fault, or versions of which one counts')
        .choices(['fault', 'earliest', 'latest'])
        .default('fault'),
    )
    .addOption(
      new Option('--unknown <rule>', 'ids that no record describes: a fault, or entries that cannot be checked')
        .choices(['fault', 'partial'])
        .default('fault'),
    )
    .option('--keep <count>', 'answers and faults told by name; all are counted', '1000');
}

export function auditLogOptionsOf(values: AuditLogOptionValues): AuditLogOptions {
  const { preset, eventsPreset = preset, answersPreset = preset } = values;
  const reading: LogOptions = {
    fields: fieldMapOf(values.map ?? []),
    instants: instantFormatOf(values),
    listSeparator: separatorOf(values.listSeparator),
    askedAt: values.askedAt === undefined ? undefined : namedOption('--asked-at', () => parseInstant(values.askedAt)),
  };
  return {
    events: filesOf(values.events, eventsPreset),
    answers: filesOf(values.answers, answersPreset),
    reading,
    clockSkew: namedOption('--clock-skew', () => parseDuration(values.clockSkew)),
    duplicates: values.duplicates,
    unknown: values.unknown,
    keep: countOf(values.keep),
  };
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

function filesOf(paths: readonly string[], preset: string | undefined): LogFile[] {
  return paths.map((path) => ({
    path,
    format: preset === undefined ? logFormatOfFile(path) : logFormatNamed(preset),
  }));
}

/** Names of `--map`, and the fields that each sets. */
const mappable: Readonly<Record<string, readonly (keyof FieldMap)[]>> = {
  id: ['eventId', 'answerId'],
  'event.id': ['eventId'],
  'answer.id': ['answerId'],
  observedAt: ['observedAt'],
  dependsOn: ['dependsOn'],
  askedAt: ['askedAt'],
  used: ['used'],
};

function fieldMapOf(pairs: readonly string[]): FieldMap {
  const fields: Partial<Record<keyof FieldMap, string>> = {};
  for (const pair of pairs) {
    const separator = pair.indexOf('=');
    const name = pair.slice(0, Math.max(separator, 0));
    const path = pair.slice(separator + 1);
    if (separator === -1 || path === '' || !Object.hasOwn(mappable, name)) {
      const expected = `field=path, the field one of ${Object.keys(mappable).join(', ')}`;
      throw new InvalidArgumentError({ argument: '--map', value: pair, expected });
    }
    for (const field of mappable[name]!) fields[field] = path;
  }
  return fields;
}

function separatorOf(text: string | undefined): string | undefined {
  if (text !== '') return text;
  throw new InvalidArgumentError({ argument: '--list-separator', value: text, expected: 'at least one character' });
}

function countOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError({ argument: '--keep', value: text, expected: 'an integer of 0 or more' });
}
