import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { decodeFloat16, encodeFloat16 } from '../float16.js';
import { temporaryFolder } from '../testing/temporaryFolder.js';
import { VectorFile } from './VectorFile.js';
import { type VectorRows, writeVectorFile } from './writeVectorFile.js';

const folder = temporaryFolder();
const embedderHash = 'ab'.repeat(32);
let files = 0;
const newPath = () => join(folder, `${files++}.vectors`);

function rowsOf(count: number, dimension: number, absent: readonly number[] = []): VectorRows {
  const vectors = Float32Array.from({ length: count * dimension }, (_, i) => Math.sin(i * 1.7));
  const present = Uint8Array.from({ length: count }, (_, row) => (absent.includes(row) ? 0 : 1));
  return { vectors, present };
}

function rounded(vectors: Float32Array): Float32Array {
  const halves = new Uint16Array(vectors.length);
  encodeFloat16(vectors, halves);
  const result = new Float32Array(vectors.length);
  decodeFloat16(halves, result);
  return result;
}

async function writeSample(rowsPerBlock = 4): Promise<string> {
  const path = newPath();
  await writeVectorFile(path, { dimension: 3, embedderHash, rowsPerBlock }, [rowsOf(10, 3, [4])]);
  return path;
}

describe('vector file', () => {
  it('gives back every prefix, rounded to halves, however the rows were batched', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 9 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 7 }),
        async (batches, dimension, rowsPerBlock) => {
          const count = batches.reduce((sum, size) => sum + size, 0);
          const absent = Array.from({ length: count }, (_, row) => row).filter((row) => row % 3 === 1);
          const all = rowsOf(count, dimension, absent);
          const path = newPath();
          let start = 0;
          const parts = batches.map((size) => {
            const end = start + size;
            const vectors = all.vectors.subarray(start * dimension, end * dimension);
            const part = { vectors, present: all.present.subarray(start, end) };
            start = end;
            return part;
          });
          const written = await writeVectorFile(path, { dimension, embedderHash, rowsPerBlock }, parts);
          const expected = rounded(all.vectors);
          for (const row of absent) expected.fill(0, row * dimension, (row + 1) * dimension);

          const file = await VectorFile.open(path, { embedderHash, dimension });
          expect(file).toMatchObject({ rows: count, dimension, embedderHash, contentHash: written.contentHash });
          for (const rows of [0, Math.floor(count / 2), count]) {
            expect(await file.readPrefix(rows)).toEqual(expected.slice(0, rows * dimension));
            expect(file.present(rows)).toEqual(all.present.slice(0, rows));
          }
          await file.close();
          const again = newPath();
          await writeVectorFile(again, { dimension, embedderHash, rowsPerBlock }, [all]);
          expect(readFileSync(again).equals(readFileSync(path))).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('refuses a file that was cut or lengthened anywhere, with the reason', async () => {
    const bytes = readFileSync(await writeSample());
    for (let length = 0; length < bytes.length; length++) {
      const path = newPath();
      writeFileSync(path, bytes.subarray(0, length));
      const opening = VectorFile.open(path);
      await expect(opening).rejects.toThrow(ForeignFileError);
      await expect(opening).rejects.toThrow(
        length < 96 ? /not a vector file/ : /truncated: \d+ bytes, but 10 rows take/,
      );
    }
    const path = newPath();
    writeFileSync(path, Buffer.concat([bytes, Buffer.of(0)]));
    await expect(VectorFile.open(path)).rejects.toThrow(/too long/);
  });

  it('notices any changed byte: in header and trailer when opening, in a row when reading its block', async () => {
    const bytes = readFileSync(await writeSample());
    for (let at = 0; at < bytes.length; at++) {
      const path = newPath();
      const changed = Buffer.from(bytes);
      changed[at]! ^= 0x40;
      writeFileSync(path, changed);
      const reading = (async () => {
        const file = await VectorFile.open(path);
        try {
          // Rows 0..3 are a block of 24 bytes after the header; a change in later blocks does not touch them.
          const inLaterBlock = at >= 96 + 24 && at < 96 + 60;
          if (inLaterBlock) await file.readPrefix(4);
          await file.readPrefix();
        } finally {
          await file.close();
        }
      })();
      await expect(reading, `byte ${at}`).rejects.toThrow(ForeignFileError);
    }
  });

  it('names the block that is damaged', async () => {
    const path = await writeSample();
    const bytes = readFileSync(path);
    bytes[96 + 30]! ^= 1;
    writeFileSync(path, bytes);
    const file = await VectorFile.open(path);
    await expect(file.readPrefix(5)).rejects.toThrow(/checksum of the block from row 4 is wrong/);
    expect(await file.readPrefix(4)).toHaveLength(12);
    await file.close();
  });

  it('refuses other files, other versions, other embedders and other dimensions', async () => {
    const path = await writeSample();
    const other = newPath();
    writeFileSync(other, 'id,text\n'.repeat(50));
    await expect(VectorFile.open(other)).rejects.toThrow(/not a vector file/);
    const bytes = readFileSync(path);
    bytes.writeUInt32LE(2, 8);
    writeFileSync(other, bytes);
    await expect(VectorFile.open(other)).rejects.toThrow(/version 2, this asof reads version 1/);
    await expect(VectorFile.open(path, { embedderHash: 'cd'.repeat(32) })).rejects.toThrow(/of embedder abab.*cdcd/);
    await expect(VectorFile.open(path, { dimension: 4 })).rejects.toThrow(/of 3 numbers, expected 4/);
    await expect(VectorFile.open(newPath())).rejects.toThrow(MissingResourceError);
  });

  it('appears whole or not at all: a failing batch leaves the file as it was', async () => {
    const path = await writeSample();
    const before = readFileSync(path);
    const infinite = { vectors: Float32Array.of(1, 2, 3, 4, 70_000, 6), present: Uint8Array.of(1, 1) };
    const writing = writeVectorFile(path, { dimension: 3, embedderHash }, [rowsOf(5, 3), infinite]);
    await expect(writing).rejects.toThrow(/vector of row 6, column 1: got 70000, expected a number within ±65504/);
    expect(readFileSync(path).equals(before)).toBe(true);

    const none = newPath();
    const short = { vectors: new Float32Array(4), present: Uint8Array.of(1) };
    await expect(writeVectorFile(none, { dimension: 3, embedderHash }, [short])).rejects.toThrow(InvalidArgumentError);
    expect(existsSync(none)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('refuses a prefix longer than the file', async () => {
    const file = await VectorFile.open(await writeSample());
    await expect(file.readPrefix(11)).rejects.toThrow(/rows: got 11, expected an integer in 0\.\.10/);
    await file.close();
  });
});
