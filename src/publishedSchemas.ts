import type { TSchema } from 'typebox';
import { predicateSchema } from './audit/attestation/predicate.js';
import { manifestSchema } from './audit/manifest.js';
import { experimentFileSchema } from './replay/experiment/experiment.js';
import { rowSchema } from './replay/rows/rowSchema.js';

/** JSON Schemas in `schemas/`, each defined once, in code. */
export const publishedSchemas: readonly { readonly file: string; readonly schema: TSchema }[] = [
  { file: 'manifest.schema.json', schema: manifestSchema },
  { file: 'row.schema.json', schema: rowSchema },
  { file: 'attestation-predicate.v1.schema.json', schema: predicateSchema },
  { file: 'experiment.schema.json', schema: experimentFileSchema },
];
