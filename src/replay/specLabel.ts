import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { embedderSchemas, mechanismSchemas, retrieverSchemas, streamSchemas } from './experiment.js';

/** Name of a specification in rows and file names: its kind, then every parameter that is not the default. */
export function specLabel(spec: { readonly kind: string }): string {
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
