import { basename, extname } from 'node:path';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { embedderSchemas, mechanismSchemas, retrieverSchemas, streamSchemas } from './experiment.js';
import type { ModuleSpec } from './mechanismModule.js';

/** Name of a specification in rows and file names: its kind, then every parameter that is not the default. */
export function specLabel(spec: { readonly kind: string }): string {
  if (spec.kind === 'module') return moduleLabel(spec as ModuleSpec);
  const schemas: Record<string, TSchema> = {
    ...retrieverSchemas,
    ...embedderSchemas,
    ...streamSchemas,
    ...mechanismSchemas,
  };
  const defaults = Value.Default(schemas[spec.kind]!, { kind: spec.kind }) as Record<string, unknown>;
  const changed = Object.entries(spec)
    .filter(([key, value]) => defaults[key] !== value)
    .map(([key, value]) => `${key}=${value}`);
  return [spec.kind, ...changed].join(',');
}

/** A module goes by the name of its file and its parameters, wherever the file lies. */
function moduleLabel({ module, parameters }: ModuleSpec): string {
  const given = Object.entries(parameters).map(([key, value]) => `${key}=${value}`);
  return ['module', basename(module, extname(module)), ...given.sort()].join(',');
}
