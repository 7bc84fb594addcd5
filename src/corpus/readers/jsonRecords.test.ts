import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonArrayScanner } from './jsonArrayScanner.js';
import { readJsonRecords } from './jsonRecords.js';
import { collect, inChunks } from './testing/chunks.js';

async function recordsOf(text: string, sizes = [1_000]) {
  return (await collect(readJsonRecords(inChunks(Buffer.from(text), sizes), 'file'))).flat();
}

const chunkSizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
const object = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });

describe('readJsonRecords', () => {
  it('keeps U+2028 and U+2029 inside a record: one record, text unchanged (case 17)', async () => {
    const text = 'one\u2028two\u2029three';
    for (const file of [`{"text":"${text}"}\n`, `[{"text":"${text}"}]`]) {
      const records = await recordsOf(file, [1]);
      expect(records).toHaveLength(1);
      expect('fields' in records[0]! && records[0].fields.text('text')).toBe(text);
    }
  });

  it('finds the objects of an array, and their lines, in whatever chunks they come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(object, { maxLength: 5 }),
        fc.constantFrom(undefined, 1, '\t'),
        chunkSizes,
        async (objects, indent, sizes) => {
          const text = JSON.stringify(objects, null, indent);
          const scanner = new JsonArrayScanner('file');
          const found: { value: unknown; line: number }[] = [];
          for await (const chunk of inChunks(Buffer.from(text), sizes)) {
            for (const { bytes, line } of scanner.push(chunk))
              found.push({ value: JSON.parse(bytes.toString()), line });
          }
          scanner.end();
          expect(found.map(({ value }) => value)).toEqual(JSON.parse(text));
          const lines = text.split('\n');
          for (const { line } of found) expect(lines[line - 1]!.replace(/^\[/, '').trim().startsWith('{')).toBe(true);
          if (indent !== undefined) {
            const starts = [...lines.keys()]
              .filter((index) => /^[ \t]\{/.test(lines[index]!))
              .map((index) => index + 1);
            expect(found.map(({ line }) => line)).toEqual(starts);
          }
        },
      ),
    );
  });

  it('gives lines and array elements as the same records', async () => {
    const record = fc.record({ text: fc.string(), more: fc.jsonValue() });
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 5 }), chunkSizes, async (objects, sizes) => {
        for (const text of [
          objects.map((item) => JSON.stringify(item)).join('\r\n'),
          `\n ${JSON.stringify(objects)} \n`,
        ]) {
          const texts = (await recordsOf(text, sizes)).map((item) => 'fields' in item && item.fields.text('text'));
          expect(texts).toEqual(objects.map((item) => item.text));
        }
      }),
    );
  });

  it('numbers lines by the file, blank ones included', async () => {
    const records = await recordsOf('\n{"a":1}\n\n \t\n{"a":2}');
    expect(records.map((record) => record.line)).toEqual([2, 5]);
  });

  it('gives what is no object as a fault, and goes on', async () => {
    const records = await recordsOf('{"a":1}\n{"a":\n[1]\n"text"\nnull\n{"a":2}\n');
    expect(records.map((record) => 'fault' in record)).toEqual([false, true, true, true, true, false]);
    expect('fault' in records[1]! && records[1].fault.message).toMatch(
      /^file:2: got "\{\\"a\\":", expected a JSON object \(/,
    );
    const elements = await recordsOf('[{"a":1},{bad},{"a":2}]');
    expect(elements.map((record) => 'fault' in record)).toEqual([false, true, false]);
  });

  it.each([
    ['[{"a":1}', /^file:1: got "the end of the file", expected the rest of the JSON array/],
    ['[\n{"a":1}\n{"a":2}]', /^file:3: got "\{", expected a comma or the end of the array/],
    ['[{"a":1},]', /^file:1: got "\]", expected an object/],
    ['[,{"a":1}]', /^file:1: got ",", expected an object or the end of the array/],
    ['[1]', /^file:1: got "1", expected an object or the end of the array/],
    ['[]\n[]', /^file:2: got "\[", expected nothing after the JSON array/],
    ['[{"a":"}]', /^file:1: got "the end of the file"/],
  ])('refuses the array %j', async (text, message) => {
    for (const size of [1, 100]) await expect(recordsOf(text, [size])).rejects.toThrow(message);
  });

  it('refuses an element that never ends before it fills the memory', () => {
    const scanner = new JsonArrayScanner('file', 100);
    scanner.push(Buffer.from('[\n{"a":"'));
    expect(() => {
      for (;;) scanner.push(Buffer.from('x'.repeat(30)));
    }).toThrow(/^file:2: got "an object of more than 1\d\d bytes"/);
  });
});
