import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';

/** The fields of an asset that a mapping fills; `compileExpression` says how each is written. */
export const mappingTargets = [
  'id',
  'type',
  'title',
  'text',
  'entities',
  'eventAt',
  'availableAt',
  'withdrawnAt',
  'fields',
] as const;

/** A field of an asset that a mapping fills. */
export type MappingTarget = (typeof mappingTargets)[number];

/** Target to expression, for example `{ text: 'description', eventAt: 'published' }`. */
export type FieldMapping = Readonly<Partial<Record<MappingTarget, string>>>;

/**
 * Reads `target=expression`, as `--map` takes it.
 *
 * @throws InvalidArgumentError when there is no `=`, or nothing on one of its sides
 */
export function parseFieldMapping(entries: readonly string[]): FieldMapping {
  const fields: Record<string, string> = {};
  for (const entry of entries) {
    const at = entry.indexOf('=');
    if (at < 1 || at === entry.length - 1) {
      throw new InvalidArgumentError({
        argument: 'map',
        value: entry,
        expected: 'target=field, such as text=description',
      });
    }
    fields[entry.slice(0, at).trim()] = entry.slice(at + 1).trim();
  }
  return fields;
}
