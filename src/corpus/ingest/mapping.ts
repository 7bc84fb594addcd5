import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import type { InstantFormat } from '../../time/parseInstant.js';
import { withoutUndefined } from '../readers/withoutUndefined.js';
import { type FieldMapping, mappingTargets } from './fieldMapping.js';
import { presetNames, presets } from './presets.js';

export type PresetName = (typeof presetNames)[number];

/** How records become assets; saved with a workspace. */
export interface IngestMapping {
  readonly preset: PresetName;
  /** The preset's fields with the user's changes: what is in force. */
  readonly fields: FieldMapping;
  /** The one format of the times in a file. */
  readonly instants: InstantFormat;
  /** What a record without event time gets: an error, or the time of its availability. */
  readonly missingEventAt: 'error' | 'available';
  /**
   * `declared`: the user named the field that holds the time of availability, and a record without it is an error.
   * `optional`: a record that has none became available at the instant of its ingest.
   */
  readonly availability: 'declared' | 'optional';
}

/** A user's choices; what is left out comes from the preset, or the mapping in force. */
export interface MappingChoices {
  /** The mapping in force by default, and `generic` where there is none. */
  readonly preset?: string | undefined;
  readonly fields?: FieldMapping | undefined;
  readonly instants?: InstantFormat | undefined;
  readonly missingEventAt?: 'error' | 'available' | undefined;
}

/**
 * Puts a user's choices on top of a preset, or, when they name none, of the mapping that was in force.
 *
 * @throws InvalidArgumentError for a preset or a target that does not exist
 */
export function buildMapping(choices: MappingChoices = {}, inForce?: IngestMapping | null): IngestMapping {
  const base = choices.preset === undefined && inForce ? inForce : mappingOfPreset(choices.preset ?? 'generic');
  for (const target of Object.keys(choices.fields ?? {})) {
    if (mappingTargets.some((known) => known === target)) continue;
    const expected = `one of ${mappingTargets.join(', ')} before the =`;
    throw new InvalidArgumentError({ argument: 'map', value: target, expected });
  }
  return {
    preset: base.preset,
    fields: { ...base.fields, ...choices.fields },
    instants: { ...base.instants, ...withoutUndefined(choices.instants ?? {}) },
    missingEventAt: choices.missingEventAt ?? base.missingEventAt,
    availability: choices.fields?.availableAt === undefined ? base.availability : 'declared',
  };
}

function mappingOfPreset(name: string): IngestMapping {
  const preset = presetNames.find((known) => known === name);
  if (preset === undefined) {
    const expected = `one of ${presetNames.join(', ')}`;
    throw new InvalidArgumentError({ argument: 'preset', value: name, expected });
  }
  const { fields, instants = {} } = presets[preset];
  return { preset, fields, instants, missingEventAt: 'error', availability: 'optional' };
}
