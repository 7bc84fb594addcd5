import type { InstantFormat } from '../../time/parseInstant.js';
import { type FieldMapping, parseFieldMapping } from './fieldMapping.js';
import type { MappingChoices } from './mapping.js';

/** A user's choices as flags and query parameters give them. */
export interface MappingWords extends InstantFormat {
  readonly preset?: string | undefined;
  /** `target=field` */
  readonly map?: readonly string[] | undefined;
  /** A field, or `available`: the time of availability where the source declares none. */
  readonly eventAt?: string | undefined;
  readonly availableAt?: string | undefined;
}

/**
 * Undefined when nothing was said: what is saved with the workspace stays in force.
 * @throws InvalidArgumentError for a `map` that cannot be read
 */
export function mappingChoicesOf(words: MappingWords): MappingChoices | undefined {
  const { preset, map = [], eventAt, availableAt, zone, epoch, dateFormat } = words;
  const isAvailable = eventAt === 'available';
  const fields: FieldMapping = {
    ...parseFieldMapping(map),
    ...(eventAt !== undefined && !isAvailable && { eventAt }),
    ...(availableAt !== undefined && { availableAt }),
  };
  const instants: InstantFormat = { zone, epoch, dateFormat };
  const given = [preset, eventAt, ...Object.values(fields), ...Object.values(instants)];
  if (given.every((value) => value === undefined)) return undefined;
  return { preset, fields, instants, missingEventAt: isAvailable ? 'available' : undefined };
}
