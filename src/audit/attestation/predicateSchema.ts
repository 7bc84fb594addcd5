import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

const schemaFile = new URL('../../../schemas/attestation-predicate.v1.schema.json', import.meta.url);
let validate: ValidateFunction | undefined;

/** What is wrong with the predicate of an attestation by its published JSON Schema, or undefined. */
export function predicateFault(predicate: unknown): string | undefined {
  validate ??= new Ajv2020().compile(JSON.parse(readFileSync(schemaFile, 'utf8')));
  if (validate(predicate)) return undefined;
  const [error] = validate.errors ?? [];
  return `its predicate${error?.instancePath ?? ''} ${error?.message ?? 'does not fit its schema'}`;
}
