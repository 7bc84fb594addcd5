import { describe, expect, it } from 'vitest';
import { compileFieldPath } from './fieldPath.js';

describe('compileFieldPath', () => {
  it.each([
    ['id', { id: 7 }, 7],
    ['a.b.c', { a: { b: { c: null } } }, null],
    ['hits.id', { hits: [{ id: 1 }, { id: 2 }] }, [1, 2]],
    ['hits.ids', { hits: [{ ids: [1, 2] }, { ids: [3] }] }, [1, 2, 3]],
    ['hits.id', { hits: [{ id: 1 }, {}] }, [1, undefined]],
    ['ids', { ids: ['a', 'b'] }, ['a', 'b']],
    ['attributes.gen_ai.memory.records.id', { attributes: { 'gen_ai.memory.records': [{ id: 'm' }] } }, ['m']],
    ['a.b', { 'a.b': 1, a: { b: 2 } }, 1],
    ['a.b', { a: 'text' }, undefined],
    ['a.b', { a: null }, undefined],
    ['missing', {}, undefined],
    ['constructor.name', {}, undefined],
    ['length', 'text', undefined],
    ['', { '': 3 }, 3],
  ])('%j of %j is %j', (path, record, value) => {
    expect(compileFieldPath(path)(record)).toEqual(value);
  });

  it('finds own members only, a member named __proto__ among them', () => {
    expect(compileFieldPath('__proto__')(JSON.parse('{"__proto__": 5}'))).toBe(5);
    expect(compileFieldPath('__proto__')({})).toBeUndefined();
  });
});
