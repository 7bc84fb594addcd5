import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { publishedSchemas } from './publishedSchemas.js';

describe('published schemas', () => {
  it.each(publishedSchemas)('$file is what the code defines (npm run build:schemas)', ({ file, schema }) => {
    const published = readFileSync(new URL(`../schemas/${file}`, import.meta.url), 'utf8');
    expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(schema)));
  });
});
