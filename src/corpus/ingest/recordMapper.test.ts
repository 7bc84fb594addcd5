import { describe, expect, it } from 'vitest';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { contentHash, textRepresentation } from './assetContent.js';
import { compileExpression, type SourceRecord } from './fieldExpression.js';
import { parseFieldMapping } from './fieldMapping.js';
import { buildMapping, type MappingChoices } from './mapping.js';
import { RecordMapper } from './recordMapper.js';

const location = { file: 'records.jsonl', line: 7 };
const map = (record: SourceRecord, choices: MappingChoices = {}) =>
  new RecordMapper(buildMapping({ missingEventAt: 'available', ...choices })).map(record, location);

describe('compileExpression', () => {
  const find = (source: string, record: SourceRecord) => compileExpression(source, 'text').find(record).values;

  it.each([
    ['a', { a: 1 }, [1]],
    ['a.b', { a: { b: 'x' } }, ['x']],
    ['a.b', { 'a.b': 'as it stands', a: { b: 'x' } }, ['as it stands']],
    ['a.b', { a: [{ b: 'x' }, {}, { b: ['y', 'z'] }] }, [['x', 'y', 'z']]],
    ['a|b', { a: null, b: 'x' }, ['x']],
    ['a,b', { b: 'x' }, ['x']],
    ['a,b', { a: 1, b: 'x' }, [1, 'x']],
    ["a|'none'", {}, ['none']],
    ["'a,b|c'", {}, ['a,b|c']],
    ['{a}/{b.c}', { a: 1, b: { c: ['x', 'y'] } }, ['1/x y']],
    ['{a}/{b}|a', { a: 1 }, [1]],
    ['toString', {}, []],
  ])('finds %s in %j', (source, record, values) => {
    expect(find(source, record)).toEqual(values);
  });

  it.each(['', 'a||b', "'open", '{a', 'a}', '{}', 'a,'])('refuses %j, naming the target', (source) => {
    expect(() => compileExpression(source, 'text')).toThrow(InvalidArgumentError);
    expect(() => compileExpression(source, 'text')).toThrow(/^map text: got /);
  });
});

describe('a mapping', () => {
  it('is a preset with changes, or the one in force with changes', () => {
    const first = buildMapping({ preset: 'nvd', fields: { availableAt: 'published' }, instants: { zone: 'UTC' } });
    expect(first).toMatchObject({ preset: 'nvd', availability: 'declared', missingEventAt: 'error' });
    const next = buildMapping({ fields: { title: 'id' } }, first);
    expect(next).toEqual({ ...first, fields: { ...first.fields, title: 'id' } });
    expect(buildMapping({ preset: 'osv' }, first).fields.availableAt).toBeUndefined();
    expect(buildMapping({}, first)).toEqual(first);
  });

  it('names what there is when asked for something else', () => {
    expect(() => buildMapping({ preset: 'csv' })).toThrow(/preset: got "csv", expected one of generic, nvd/);
    expect(() => buildMapping({ fields: parseFieldMapping(['body=x']) })).toThrow(
      /map: got "body", expected one of id,/,
    );
    expect(() => parseFieldMapping(['text'])).toThrow(/map: got "text", expected target=field/);
    expect(() => new RecordMapper(buildMapping({ preset: 'generic', fields: { eventAt: 'a||b' } }))).toThrow(
      /map eventAt/,
    );
  });
});

describe('RecordMapper', () => {
  it('keeps what no field took, and that alone', () => {
    const { content } = map({ id: 'a', title: 't', text: 'x', entities: ['e'], b: { c: 1 }, a: null, d: [true] });
    expect(content).toEqual({
      type: 'text',
      title: 't',
      text: 'x',
      entities: ['e'],
      fields: '{"b":{"c":1},"d":[true]}',
      eventAt: undefined,
    });
  });

  it('keeps fields by any name', () => {
    const record = JSON.parse('{"id":"a","text":"x","__proto__":1,"constructor":2}');
    expect(map(record).content.fields).toBe('{"__proto__":1,"constructor":2}');
  });

  it('leaves products and weaknesses of a CVE out of the text', () => {
    const record = {
      id: 'CVE-1',
      published: '2020-01-02T14:16Z',
      description: 'd',
      products: ['v:p'],
      cwe: ['CWE-79'],
    };
    const { content } = map(record, { preset: 'nvd' });
    expect(textRepresentation(content)).toBe('d');
    expect(content.fields).toBe('{"cwe":["CWE-79"],"products":["v:p"]}');
    expect(content.eventAt).toBe(Date.UTC(2020, 0, 2, 14, 16));
  });

  it('joins title, text and entities in this order, a line each', () => {
    const { content } = map({ id: 1, title: 'T', text: 'x', entities: ['b', 'a', 'b'] });
    expect(textRepresentation(content)).toBe('T\nx\nb, a');
    expect(textRepresentation({ title: undefined, text: '', entities: [] })).toBe('');
  });

  it('reads tables, lists written as texts, and joins several parts', () => {
    expect(map({ id: 1, table: { header: ['a', 'b'], rows: [[1, null]] } }).content).toMatchObject({
      type: 'table',
      text: 'a | b\n1 | ',
    });
    const choices = { fields: { text: 'a,b', title: 'a,c', entities: 'd,e' } };
    const { content } = map({ id: 1, a: 'A', b: 2, c: 'C', d: '["x","y"]', e: { k: 'z', j: ['w'] } }, choices);
    expect(content).toMatchObject({ title: 'A C', text: 'A\n2', entities: ['x', 'y', 'w', 'z'] });
  });

  it('takes whole integers as ids, and no other number', () => {
    expect(map({ id: 5, text: '' }).id).toBe('5');
    expect(
      map({ site: 's', id: 5, text: 'x', created: '2014-01-21T20:26:05.383' }, { preset: 'stackexchange' }),
    ).toMatchObject({
      id: 's/5',
      content: { eventAt: Date.UTC(2014, 0, 21, 20, 26, 5, 383) },
    });
    for (const id of [1.5, '', true, ['a'], '\ud800']) expect(() => map({ id, text: '' })).toThrow(InvalidInputError);
  });

  it('never withdraws before the time of availability', () => {
    const mapped = map({ id: 1, text: '', availableAt: '2020-01-02', withdrawnAt: '2020-01-01' });
    expect(mapped.withdrawnAt).toBe(mapped.availableAt);
  });

  it('counts what the reading of times had to decide', () => {
    const mapper = new RecordMapper(buildMapping({ instants: { zone: 'America/New_York' } }));
    for (const eventAt of ['2024-03-10 02:30', '2024-11-03 01:30', '2024-01-01T00:00:00.1234Z', '2024-01-01']) {
      mapper.map({ id: 1, text: '', eventAt }, location);
    }
    expect(mapper.decisions).toEqual({ gap: 1, overlap: 1, truncated: 1 });
  });

  it.each([
    [{ text: 'x' }, {}, 'records.jsonl:7: id: got nothing, expected an id in id'],
    [{ id: 'a' }, {}, 'records.jsonl:7: text: got nothing, expected a text in text|table'],
    [{ id: 'a', text: { b: 1 } }, {}, 'records.jsonl:7: text: got {"b":1}, expected a text'],
    [
      { id: 'a', text: 'x' },
      { missingEventAt: 'error' as const },
      'records.jsonl:7: eventAt: got nothing, expected a time in eventAt, or --event-at=available',
    ],
    [
      { id: 'a', text: 'x', eventAt: '2024-13-01' },
      {},
      'records.jsonl:7: eventAt: got "2024-13-01", expected a month in 01 to 12',
    ],
    [
      { id: 'a', text: 'x' },
      { fields: { availableAt: 'seen' } },
      'records.jsonl:7: availableAt: got nothing, expected a time in seen',
    ],
    [
      { id: 'a', text: 'x', fields: '[1]' },
      {},
      'records.jsonl:7: fields: got "[1]", expected an object, or the JSON text of one',
    ],
    [
      { id: 'a', text: 'x', b: 1 },
      { fields: { id: 'id,b' } },
      'records.jsonl:7: id: got ["a",1], expected one field, not several',
    ],
  ])('names file, line and field of %j', (record, choices, message) => {
    expect(() => map(record, choices)).toThrow(new InvalidInputError({ location, expected: '' }).constructor as never);
    expect(() => map(record, choices)).toThrow(message);
  });
});

describe('contentHash', () => {
  it('tells contents apart by every part, and does not know the id or the time of availability', () => {
    const base = { type: 't', title: 'a', text: 'b', entities: ['c'], fields: '{}', eventAt: 1 };
    const changed = [
      { type: 'u' },
      { title: undefined },
      { text: 'ab' },
      { entities: [] },
      { entities: ['c', 'd'] },
      { fields: undefined },
      { eventAt: undefined },
    ].map((change) => contentHash({ ...base, ...change }));
    expect(new Set([contentHash(base), ...changed]).size).toBe(8);
    expect(contentHash({ ...base })).toBe(contentHash(base));
  });
});
