import { writeFileSync } from 'node:fs';
import { publishedSchemas } from '../src/publishedSchemas.js';

/** Writes the JSON Schemas that the package publishes from their definitions in code: `npm run build:schemas`. */
for (const { file, schema } of publishedSchemas) {
  writeFileSync(new URL(`../schemas/${file}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
