import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openInMemory } from '../../columnar/duckdb.js';
import { quotePath } from '../../columnar/quotePath.js';
import { InputSet } from '../readers/inputs.js';
import { collect } from '../readers/testing/chunks.js';
import { jsonLines, writeTemporaryFiles } from '../testing/temporaryFiles.js';
import { expandFiles } from './expandFiles.js';
import { readSourceRecords, type SourceFormat } from './sourceFile.js';

async function read(file: string, options: { format?: SourceFormat; stdin?: Buffer } = {}) {
  const inputs = new InputSet({ stdin: options.stdin && Readable.from([options.stdin]) });
  const scratchFolder = writeTemporaryFiles({});
  return (await collect(readSourceRecords(file, inputs, { format: options.format, scratchFolder }))).flat();
}

const recordsOf = async (...words: Parameters<typeof read>) =>
  (await read(...words)).map((item) => ('fault' in item ? item.fault.message : item.record));

async function parquet(folder: string, select: string): Promise<string> {
  const file = path.join(folder, 'rows.parquet');
  const { connection, close } = await openInMemory();
  await connection.run(`COPY (${select}) TO ${quotePath(file)} (FORMAT parquet)`);
  close();
  return file;
}

describe('readSourceRecords', () => {
  const rows = [
    { id: 'a', text: 'one' },
    { id: 'b', text: 'two\u2028\u2029' },
  ];
  const files = {
    'rows.jsonl': jsonLines(...rows),
    'rows.json': JSON.stringify(rows, null, 1),
    'rows.csv': 'id,text\na,one\nb,two\u2028\u2029\n',
    'rows.tsv': 'id\ttext\na\tone\nb\ttwo\u2028\u2029\n',
  };

  it.each(Object.entries(files))(
    'reads %s, plain and with gzip, with and without a mark at its start (cases 15, 17)',
    async (name, text) => {
      const marked = Buffer.from(`\ufeff${text}`);
      const folder = writeTemporaryFiles({
        [name]: text,
        [`zipped.${name}.gz`]: gzipSync(marked),
        [`marked.${name}`]: marked,
      });
      for (const file of [name, `zipped.${name}.gz`, `marked.${name}`]) {
        expect(await recordsOf(path.join(folder, file))).toEqual(rows);
      }
    },
  );

  it('reads Parquet, also with gzip and from standard input, with its rows counted', async () => {
    const file = await parquet(
      writeTemporaryFiles({}),
      "SELECT * FROM (VALUES ('a', 'one'), ('b', 'two')) t (id, text)",
    );
    const { readFileSync, writeFileSync } = await import('node:fs');
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
    const expected = [
      { id: 'a', text: 'one' },
      { id: 'b', text: 'two' },
    ];
    expect(await recordsOf(file)).toEqual(expected);
    expect(await recordsOf(`${file}.gz`)).toEqual(expected);
    expect(await recordsOf('-', { format: 'parquet', stdin: readFileSync(file) })).toEqual(expected);
    expect((await read(file)).map(({ location }) => location)).toEqual([
      { file, row: 1 },
      { file, row: 2 },
    ]);
  });

  it('turns every kind of Parquet value into one of JSON, the same in any time zone', async () => {
    const file = await parquet(
      writeTemporaryFiles({}),
      `SELECT ['x', 'y'] AS list, {a: 1, b: NULL} AS struct, MAP {'k': 2} AS map, 5::BIGINT AS small,
        9007199254740993 AS large, 1.25::DECIMAL(5, 2) AS decimal, 'nan'::DOUBLE AS nan, DATE '2024-03-01' AS date,
        TIMESTAMP '2024-03-01 10:00:00' AS local, TIMESTAMPTZ '2024-03-01 10:00:00+02' AS zoned, NULL::VARCHAR AS none`,
    );
    expect(await recordsOf(file)).toEqual([
      {
        list: ['x', 'y'],
        struct: { a: 1, b: null },
        map: { k: 2 },
        small: 5,
        large: '9007199254740993',
        decimal: 1.25,
        nan: 'NaN',
        date: '2024-03-01',
        local: '2024-03-01 10:00:00',
        zoned: '2024-03-01 08:00:00+00',
        none: null,
      },
    ]);
  });

  it('refuses a truncated Parquet file, naming it', async () => {
    const file = await parquet(writeTemporaryFiles({}), 'SELECT range AS id FROM range(1000)');
    const { truncateSync } = await import('node:fs');
    truncateSync(file, 500);
    await expect(read(file)).rejects.toThrow(/rows\.parquet: got .*expected a whole, undamaged Parquet file/);
  });

  it('tells JSON by its first character, and asks for the format of all else', async () => {
    expect(await recordsOf('-', { stdin: Buffer.from(' {"id": 1}\n{"id": 2}') })).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await recordsOf('-', { stdin: Buffer.from('[{"id": 1}]') })).toEqual([{ id: 1 }]);
    await expect(read('-', { stdin: Buffer.from('id,text\n') })).rejects.toThrow(
      'format: got "stdin", expected --format with one of jsonl, json, csv, tsv, parquet',
    );
    expect(await recordsOf('-', { format: 'csv', stdin: Buffer.from('id,text\n1,x\n') })).toEqual([
      { id: '1', text: 'x' },
    ]);
  });

  it('sets aside a line that is no object, with its number', async () => {
    const folder = writeTemporaryFiles({ 'a.jsonl': '{"id":1}\n[]\n\n{oops\n{"id":2}\n' });
    const messages = await recordsOf(path.join(folder, 'a.jsonl'));
    expect(messages[1]).toMatch(/a\.jsonl:2: got "\[\]", expected a JSON object/);
    expect(messages[2]).toMatch(/a\.jsonl:4: got "\{oops", expected a JSON object/);
    expect(messages[3]).toEqual({ id: 2 });
  });
});

describe('a file of cells', () => {
  it('has an empty cell as an absent field, and sets aside a row of another length', async () => {
    const folder = writeTemporaryFiles({ 'a.csv': 'id,a\n1,\n2\n3," x"\n' });
    const items = await read(path.join(folder, 'a.csv'));
    expect(items.flatMap((item) => ('record' in item ? [item.record] : []))).toEqual([
      { id: '1' },
      { id: '3', a: ' x' },
    ]);
    expect(items.flatMap((item) => ('fault' in item ? [item.fault.message] : []))).toEqual([
      `${folder}/a.csv:3: got "a row of 1", expected as many cells as the header has, 2`,
    ]);
  });
});

describe('expandFiles', () => {
  it('gives each file once, in code-unit order, whatever the order of the patterns', async () => {
    const folder = writeTemporaryFiles({
      'b.jsonl': '1',
      'a.jsonl': '',
      'deep/c.jsonl': '',
      'x.csv': '',
      'odd[1].csv': '',
    });
    const at = (name: string) => path.join(folder, name);
    const names = async (...patterns: string[]) =>
      (await expandFiles(patterns.map((pattern) => (pattern === '-' ? '-' : at(pattern))))).map(
        ({ path: file }) => file,
      );
    expect(await names('b.jsonl', '*.jsonl')).toEqual([at('a.jsonl'), at('b.jsonl')]);
    expect(await names('**/*.jsonl', '-')).toEqual(['-', at('a.jsonl'), at('b.jsonl'), at('deep/c.jsonl')]);
    expect(await names('{a,b}.jsonl')).toEqual([at('a.jsonl'), at('b.jsonl')]);
    expect(await names('odd[1].csv')).toEqual([at('odd[1].csv')]);
    expect((await expandFiles([at('b.jsonl')]))[0]!.bytes).toBe(1);
    await expect(names('nothing-*')).rejects.toThrow(/nothing-\* is missing: no file matches the pattern/);
    await expect(names('none.jsonl')).rejects.toThrow(/none\.jsonl is missing: no such file/);
    await expect(names('deep')).rejects.toThrow(/deep\/\*\.jsonl, not a folder/);
  });
});
