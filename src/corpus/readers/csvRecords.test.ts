import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidInputError } from '../../errors/InvalidInputError.js';
import { type CsvRecord, readCsvRecords } from './csvRecords.js';

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function rowsOf(content: string | Buffer, size = 1 << 16, delimiter = ','): Promise<CsvRecord[]> {
  const rows: CsvRecord[] = [];
  for await (const batch of readCsvRecords(chunksOf(Buffer.from(content as string), size), 'f.csv', delimiter)) {
    rows.push(...batch);
  }
  return rows;
}

describe('readCsvRecords', () => {
  it('takes quoted line ends, doubled quotes, delimiters, CRLF and an empty last line (case 16)', async () => {
    const content = 'id,text\r\n1,"a, ""b""\r\nc"\r\n\r\n2,plain\r\n3,\r\n';
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await rowsOf(content, size)).toEqual([
        { line: 2, fields: { id: '1', text: 'a, "b"\r\nc' } },
        { line: 5, fields: { id: '2', text: 'plain' } },
        { line: 6, fields: { id: '3', text: '' } },
      ]);
    }
  });

  it('reads back whatever was quoted, in chunks of any size', async () => {
    const cell = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'x', 'é', '\u2028', '😀', ' ') });
    const rows = fc.array(fc.tuple(cell, cell), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), async (cells, size) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
        const content = ['a,b', ...cells.map((row) => row.map(quote).join(','))].join('\n');
        const read = await rowsOf(content, size);
        expect(read.map(({ fields }) => [fields.a, fields.b])).toEqual(cells);
      }),
    );
  });

  it('takes tabs as delimiter, and a column named as an object member', async () => {
    expect(await rowsOf('id\t__proto__\n1\ta,b\n', 100, '\t')).toEqual([
      { line: 2, fields: Object.assign(Object.create(null), JSON.parse('{"id":"1","__proto__":"a,b"}')) },
    ]);
  });

  it('gives no row for an empty file, or a header alone', async () => {
    expect(await rowsOf('')).toEqual([]);
    expect(await rowsOf('id,text\n')).toEqual([]);
  });

  it.each([
    ['a row with fewer cells', 'a,b\n1,2\n3\n', 'f.csv:3: ', 'as many cells as the header has'],
    ['a row with more cells', 'a,b\n1,2,3\n', 'f.csv:2: ', 'as many cells as the header has'],
    ['a quote that never ends', 'a,b\n1,"2\n3\n', 'f.csv:2: ', 'the closing quote'],
    ['a quote inside a cell', 'a,b\n1,2"3\n', 'f.csv:2: ', 'RFC 4180'],
    ['text after a closing quote', 'a,b\n1,"2"3\n', 'f.csv:2: ', 'RFC 4180'],
    ['a column named twice', 'a,b,a\n1,2,3\n', 'f.csv:1: got "a"', 'each column once'],
    ['another encoding', Buffer.from('a,b\n1,\xe9\n', 'latin1'), 'f.csv: got "bytes in another encoding', 'UTF-8'],
    ['a character cut off by the end', Buffer.from('a,b\n1,é').subarray(0, -1), 'f.csv: ', 'UTF-8'],
  ])('refuses %s and says where', async (_, content, place, expected) => {
    for (const size of [1, 1000]) {
      const failure = await rowsOf(content, size).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(InvalidInputError);
      expect((failure as Error).message).toContain(place);
      expect((failure as Error).message).toContain(expected);
    }
  });

  it('goes on after a row of another length when told to', async () => {
    const lines: (number | undefined)[] = [];
    const chunks = chunksOf(Buffer.from('a,b\n1\n1,2\n"1\n",2,3\n3,4\n'), 3);
    const rows: CsvRecord[] = [];
    for await (const batch of readCsvRecords(chunks, 'f.csv', ',', ({ location }) => lines.push(location.line))) {
      rows.push(...batch);
    }
    expect(rows.map(({ line, fields }) => [line, fields.b])).toEqual([
      [3, '2'],
      [6, '4'],
    ]);
    expect(lines).toEqual([2, 4]);
  });

  it('stops the input when its reader stops', async () => {
    let closed = false;
    async function* endless(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield Buffer.from('a,b\n1,2\n');
      } finally {
        closed = true;
      }
    }
    for await (const batch of readCsvRecords(endless(), 'f.csv')) if (batch.length > 0) break;
    expect(closed).toBe(true);
  });
});
