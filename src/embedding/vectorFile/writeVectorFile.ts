import type { FileHandle } from 'node:fs/promises';
import { newSha256 } from '../../commitment/sha256.js';
import { littleEndianBytes } from '../../commitment/typedArrayBytes.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { replaceFile } from '../../files/atomicFile.js';
import { encodeFloat16, isNonFiniteFloat16 } from '../float16.js';
import { encodeHeader, headerLength, storedSeal, type VectorFileShape } from './layout.js';

/** Consecutive rows to write. */
export interface VectorRows {
  /** [rows, dimension] row-major. */
  readonly vectors: Float32Array;
  /** [rows] 1 where the row has a vector. */
  readonly present: Uint8Array;
}

export interface VectorFileOptions {
  readonly dimension: number;
  /** Hexadecimal SHA-256 of the embedder that made the vectors. */
  readonly embedderHash: string;
  /** Rows that are checked together; 4,096 by default. */
  readonly rowsPerBlock?: number;
}

/**
 * Writes a vector file, batch by batch, in constant memory; the file appears whole or not at all.
 * @returns number of rows and the file's content hash (hexadecimal SHA-256)
 * @throws InvalidArgumentError when a number is not finite in half precision, or a batch has a part of a row
 */
export function writeVectorFile(
  path: string,
  options: VectorFileOptions,
  batches: AsyncIterable<VectorRows> | Iterable<VectorRows>,
): Promise<{ rows: number; contentHash: string }> {
  return replaceFile(path, async (file) => {
    const body = new BodyWriter(file, options);
    for await (const batch of batches) await body.append(batch);
    const { trailer, shape } = await body.finish();
    const header = encodeHeader(shape, trailer);
    await writeFully(file, header, 0);
    return { rows: shape.rows, contentHash: storedSeal(header).toString('hex') };
  });
}

class BodyWriter {
  readonly #file: FileHandle;
  readonly #dimension: number;
  readonly #embedderHash: string;
  readonly #rowsPerBlock: number;
  readonly #digests: Buffer[] = [];
  readonly #bitmap: number[] = [];
  #digest = newSha256();
  #rows = 0;
  #position = headerLength;

  constructor(file: FileHandle, { dimension, embedderHash, rowsPerBlock = 4096 }: VectorFileOptions) {
    this.#file = file;
    this.#dimension = dimension;
    this.#embedderHash = embedderHash;
    this.#rowsPerBlock = rowsPerBlock;
  }

  async append({ vectors, present }: VectorRows): Promise<void> {
    if (vectors.length !== present.length * this.#dimension) {
      throw new InvalidArgumentError({
        argument: 'vectors',
        value: vectors.length,
        expected: `${present.length} rows of ${this.#dimension} numbers`,
      });
    }
    for (let row = 0; row < present.length; ) {
      const room = this.#rowsPerBlock - (this.#rows % this.#rowsPerBlock);
      const end = Math.min(present.length, row + room);
      await this.#appendWithinBlock(
        vectors.subarray(row * this.#dimension, end * this.#dimension),
        present.subarray(row, end),
      );
      row = end;
    }
  }

  async finish(): Promise<{ trailer: Buffer; shape: VectorFileShape }> {
    if (this.#rows % this.#rowsPerBlock !== 0) this.#digests.push(this.#digest.digest());
    const trailer = Buffer.concat([Buffer.from(this.#bitmap), ...this.#digests]);
    await writeFully(this.#file, trailer, this.#position);
    return {
      trailer,
      shape: {
        dimension: this.#dimension,
        rows: this.#rows,
        rowsPerBlock: this.#rowsPerBlock,
        embedderHash: this.#embedderHash,
      },
    };
  }

  async #appendWithinBlock(vectors: Float32Array, present: Uint8Array): Promise<void> {
    const halves = new Uint16Array(vectors.length);
    encodeFloat16(vectors, halves);
    for (const [index, flag] of present.entries()) {
      const row = halves.subarray(index * this.#dimension, (index + 1) * this.#dimension);
      if (flag) this.#checkFinite(row, vectors, index);
      else row.fill(0);
      const byte = this.#rows >>> 3;
      this.#bitmap[byte] = (this.#bitmap[byte] ?? 0) | (flag ? 1 << (this.#rows & 7) : 0);
      this.#rows++;
    }
    const bytes = littleEndianBytes(halves);
    this.#digest.update(bytes);
    await writeFully(this.#file, bytes, this.#position);
    this.#position += bytes.length;
    if (this.#rows % this.#rowsPerBlock === 0) {
      this.#digests.push(this.#digest.digest());
      this.#digest = newSha256();
    }
  }

  #checkFinite(row: Uint16Array, vectors: Float32Array, index: number): void {
    const column = row.findIndex(isNonFiniteFloat16);
    if (column < 0) return;
    throw new InvalidArgumentError({
      argument: `vector of row ${this.#rows}, column ${column}`,
      value: vectors[index * this.#dimension + column],
      expected: 'a number within ±65504',
    });
  }
}

async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}
