import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { predicateSchema } from './predicate.js';

describe('the published schema of the predicate', () => {
  it('is the one that predicates are checked by', () => {
    const file = new URL('../../../schemas/attestation-predicate.v1.schema.json', import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(predicateSchema)));
  });
});
