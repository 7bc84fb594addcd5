import { copyFile } from 'node:fs/promises';
import { VectorFile } from '../embedding/vectorFile/VectorFile.js';
import { type VectorRows, writeVectorFile } from '../embedding/vectorFile/writeVectorFile.js';
import type { DerivedCarrier } from '../store/workspace/compact.js';
import { derivedNames } from './derivedNames.js';

const rowsPerBatch = 4096;

/**
 * How files of merged segments come from those of their parts. Vectors are too dear to compute again; a row's vector stays
 * the same to the bit. Indexes of words are cheap, and are built anew.
 */
export const carriers: ReadonlyMap<string, DerivedCarrier> = new Map<string, DerivedCarrier>([
  [derivedNames.vectors, carryVectors],
  [derivedNames.embedder, (sources, _merged, path) => copyFile([...sources.values()][0]!, path)],
]);

async function carryVectors(
  sources: Parameters<DerivedCarrier>[0],
  merged: Parameters<DerivedCarrier>[1],
  path: string,
): Promise<void> {
  const cursors = new Map<number, VectorCursor>();
  try {
    for (const [segment, source] of sources) cursors.set(segment, new VectorCursor(await VectorFile.open(source)));
    const { dimension, embedderHash } = [...cursors.values()][0]!.file;
    async function* batches(): AsyncGenerator<VectorRows> {
      const size = merged.rows.length;
      for (let start = 0; start < size; start += rowsPerBatch) {
        const count = Math.min(rowsPerBatch, size - start);
        const batch = { vectors: new Float32Array(count * dimension), present: new Uint8Array(count) };
        for (let at = 0; at < count; at++) {
          const cursor = cursors.get(merged.segments[start + at]!)!;
          batch.vectors.set(await cursor.vectorOf(merged.rows[start + at]!), at * dimension);
          batch.present[at] = cursor.present[merged.rows[start + at]!]!;
        }
        yield batch;
      }
    }
    await writeVectorFile(path, { dimension, embedderHash }, batches());
  } finally {
    for (const { file } of cursors.values()) await file.close();
  }
}

/** Reads rows of a vector file in ascending order, a block in memory at a time: merging keeps the order of a part's rows. */
class VectorCursor {
  readonly file: VectorFile;
  readonly present: Uint8Array;
  readonly #blocks: ReturnType<VectorFile['blocks']>;
  #start = 0;
  #vectors = new Float32Array(0);

  constructor(file: VectorFile) {
    this.file = file;
    this.present = file.present();
    this.#blocks = file.blocks();
  }

  async vectorOf(row: number): Promise<Float32Array> {
    const { dimension } = this.file;
    while ((row - this.#start + 1) * dimension > this.#vectors.length) {
      const { value } = await this.#blocks.next();
      this.#start = value!.start;
      this.#vectors = value!.vectors;
    }
    const at = (row - this.#start) * dimension;
    return this.#vectors.subarray(at, at + dimension);
  }
}
