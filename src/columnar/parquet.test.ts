import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ForeignFileError } from '../errors/ForeignFileError.js';
import { compressedShape } from './columns.js';
import { readParquet } from './readParquet.js';
import { writeParquet } from './writeParquet.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'asof-parquet-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Row {
  text: string | null;
  count: number;
  share: number;
  clock: number;
  positions: number[];
  names: string[];
}

const rowArbitrary: fc.Arbitrary<Row> = fc.record({
  text: fc.option(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))),
  count: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  share: fc.oneof(fc.constant(Number.NaN), fc.double({ noNaN: true })),
  clock: fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -62135596800000, max: 253402300799999 })),
  positions: fc.array(fc.nat({ max: 2 ** 31 - 1 }), { maxLength: 5 }),
  names: fc.array(fc.constantFrom('a', 'bé', 'a name too long to be kept inline'), { maxLength: 4 }),
});

function listOf<T>(rows: readonly T[], pick: (row: T) => readonly number[]) {
  const offsets = new Uint32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) offsets[i + 1] = offsets[i]! + pick(row).length;
  return { ...compressedShape(offsets), flat: rows.flatMap((row) => [...pick(row)]) };
}

async function write(file: string, rows: readonly Row[]): Promise<void> {
  const dictionary = [...new Set(rows.flatMap((row) => row.names))];
  const positions = listOf(rows, (row) => row.positions);
  const shares = listOf(rows, (row) => row.positions.map((position) => position / 3));
  const names = listOf(rows, (row) => row.names.map((name) => dictionary.indexOf(name)));
  await writeParquet(file, rows.length, [
    { name: 'text', type: 'string', values: rows.map((row) => row.text) },
    { name: 'same', type: 'constant', value: 'PIT' },
    { name: 'count', type: 'int32', values: Int32Array.from(rows, (row) => row.count) },
    { name: 'share', type: 'float64', values: Float64Array.from(rows, (row) => row.share) },
    { name: 'clock', type: 'instant', values: Float64Array.from(rows, (row) => row.clock) },
    { name: 'positions', type: 'list<int32>', ...positions, values: Int32Array.from(positions.flat) },
    { name: 'shares', type: 'list<float64>', ...shares, values: Float64Array.from(shares.flat) },
    { name: 'clocks', type: 'list<instant>', ...positions, values: Float64Array.from(positions.flat) },
    { name: 'names', type: 'list<string>', ...names, values: Uint32Array.from(names.flat), dictionary },
  ]);
}

const request = {
  text: 'string',
  same: 'string',
  count: 'int32',
  share: 'float64',
  clock: 'instant',
  positions: 'list<int32>',
  shares: 'list<float64>',
  clocks: 'list<instant>',
  names: 'list<string>',
} as const;

async function roundTrip(rows: readonly Row[]): Promise<void> {
  const file = path.join(folder, 'rows.parquet');
  await write(file, rows);
  const table = await readParquet(file, request);
  expect(table.rows).toBe(rows.length);
  expect(table.text).toEqual(rows.map((row) => row.text));
  expect(table.same).toEqual(rows.map(() => 'PIT'));
  expect(Array.from(table.count)).toEqual(rows.map((row) => row.count));
  expect(Array.from(table.share)).toEqual(rows.map((row) => row.share));
  expect(Array.from(table.clock)).toEqual(rows.map((row) => row.clock));
  for (const [i, row] of rows.entries()) {
    const of = <V extends { slice(a: number, b: number): unknown }>(list: { offsets: Uint32Array; values: V }) =>
      Array.from(list.values.slice(list.offsets[i]!, list.offsets[i + 1]!) as ArrayLike<unknown>);
    expect(of(table.positions)).toEqual(row.positions);
    expect(of(table.clocks)).toEqual(row.positions);
    expect(of(table.shares)).toEqual(row.positions.map((position) => position / 3));
    expect(of(table.names)).toEqual(row.names);
  }
}

describe('Parquet columns', () => {
  it('come back as they were written', async () => {
    await fc.assert(fc.asyncProperty(fc.array(rowArbitrary, { maxLength: 40 }), roundTrip), { numRuns: 30 });
  });

  it('come back across chunk boundaries', async () => {
    const [row] = fc.sample(rowArbitrary, { numRuns: 1, seed: 7 });
    const rows = Array.from(
      { length: 5000 },
      (_, i): Row => ({
        ...row!,
        text: i % 3 === 0 ? null : `row ${i}`,
        count: i,
        share: i % 7 === 0 ? Number.NaN : i / 11,
        positions: Array.from({ length: i % 6 }, (_, k) => i + k),
      }),
    );
    await roundTrip(rows);
  });

  it('give the same bytes for the same columns', async () => {
    const rows = fc.sample(rowArbitrary, { numRuns: 3000, seed: 3 });
    const files = ['first.parquet', 'second.parquet'].map((name) => path.join(folder, name));
    for (const file of files) await write(file, rows);
    const [first, second] = await Promise.all(files.map((file) => readFile(file)));
    expect(first!.equals(second!)).toBe(true);
  });

  it('leave nothing behind when the target cannot be written', async () => {
    await expect(write(path.join(folder, 'no', 'such', 'folder.parquet'), [])).rejects.toThrow();
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });

  it('refuse a truncated file, another kind of file, and a file without a column', async () => {
    const file = path.join(folder, 'broken.parquet');
    await write(file, fc.sample(rowArbitrary, { numRuns: 50, seed: 1 }));
    await expect(readParquet(file, { other: 'string' })).rejects.toThrow(ForeignFileError);
    await truncate(file, 500);
    await expect(readParquet(file, request)).rejects.toThrow(ForeignFileError);
    await writeFile(file, 'not parquet');
    await expect(readParquet(file, request)).rejects.toThrow(/broken\.parquet: not a readable Parquet file/);
  });
});
