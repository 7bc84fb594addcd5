import { type FileHandle, open } from 'node:fs/promises';
import { sha256 } from '../../commitment/sha256.js';
import { littleEndianBytes } from '../../commitment/typedArrayBytes.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';
import { InvalidArgumentError } from '../../errors/InvalidArgumentError.js';
import { MissingResourceError } from '../../errors/MissingResourceError.js';
import { decodeFloat16 } from '../float16.js';
import {
  decodeHeader,
  digestLength,
  headerLength,
  offsetsOf,
  sealOf,
  storedSeal,
  type VectorFileOffsets,
  type VectorFileShape,
} from './layout.js';

/** Consecutive rows of a vector file. */
export interface VectorBlock {
  /** First row. */
  readonly start: number;
  /** [rows, dimension] row-major; zeros where the row has no vector. */
  readonly vectors: Float32Array;
}

/**
 * An open vector file. Opening checks magic, version, size and seal; reading checks the digest of each block it
 * touches, so a prefix is verified without reading the rest.
 */
export class VectorFile {
  readonly dimension: number;
  readonly rows: number;
  /** Hexadecimal SHA-256 of the embedder. */
  readonly embedderHash: string;
  /** Hexadecimal SHA-256 that commits to every byte of the file. */
  readonly contentHash: string;
  readonly #path: string;
  readonly #file: FileHandle;
  readonly #rowsPerBlock: number;
  readonly #offsets: VectorFileOffsets;
  readonly #bitmap: Buffer;
  readonly #digests: Buffer;

  private constructor(path: string, file: FileHandle, shape: VectorFileShape, header: Buffer, trailer: Buffer) {
    this.#path = path;
    this.#file = file;
    this.#offsets = offsetsOf(shape);
    this.#rowsPerBlock = shape.rowsPerBlock;
    const bitmapLength = this.#offsets.digests - this.#offsets.bitmap;
    this.#bitmap = trailer.subarray(0, bitmapLength);
    this.#digests = trailer.subarray(bitmapLength);
    this.dimension = shape.dimension;
    this.rows = shape.rows;
    this.embedderHash = shape.embedderHash;
    this.contentHash = storedSeal(header).toString('hex');
  }

  /**
   * @param expected what the caller needs the vectors to be; other vectors are refused
   * @throws MissingResourceError, ForeignFileError with the reason
   */
  static async open(
    path: string,
    expected: { embedderHash?: string | undefined; dimension?: number | undefined } = {},
  ): Promise<VectorFile> {
    let file: FileHandle;
    try {
      file = await open(path, 'r');
    } catch (cause) {
      throw new MissingResourceError({ resource: path, remedy: 'embed the collection to make it', cause });
    }
    try {
      return await VectorFile.#read(path, file, expected);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  static async #read(
    path: string,
    file: FileHandle,
    expected: { embedderHash?: string | undefined; dimension?: number | undefined },
  ): Promise<VectorFile> {
    const refuse = (reason: string) => new ForeignFileError({ file: path, reason });
    const { size } = await file.stat();
    const header = await readFully(file, 0, Math.min(size, headerLength));
    const shape = decodeHeader(header);
    if (typeof shape === 'string') throw refuse(shape);
    const offsets = offsetsOf(shape);
    if (size !== offsets.end) {
      const fault = size < offsets.end ? 'truncated' : 'too long';
      throw refuse(`${fault}: ${size} bytes, but ${shape.rows} rows take ${offsets.end}`);
    }
    const trailer = await readFully(file, offsets.bitmap, offsets.end - offsets.bitmap);
    if (!sealOf(header, trailer).equals(storedSeal(header))) throw refuse('damaged: header and trailer do not agree');
    if (expected.embedderHash !== undefined && shape.embedderHash !== expected.embedderHash) {
      throw refuse(`vectors of embedder ${shape.embedderHash}, expected ${expected.embedderHash}`);
    }
    if (expected.dimension !== undefined && shape.dimension !== expected.dimension) {
      throw refuse(`vectors of ${shape.dimension} numbers, expected ${expected.dimension}`);
    }
    return new VectorFile(path, file, shape, header, trailer);
  }

  /** [rows] 1 where the row has a vector, for the first `rows` rows. */
  present(rows = this.rows): Uint8Array {
    this.#checkPrefix(rows);
    return Uint8Array.from({ length: rows }, (_, row) => (this.#bitmap[row >>> 3]! >>> (row & 7)) & 1);
  }

  /** The first `rows` rows, block by block, in constant memory. */
  async *blocks(rows = this.rows): AsyncGenerator<VectorBlock> {
    this.#checkPrefix(rows);
    for (let start = 0; start < rows; start += this.#rowsPerBlock) {
      const count = Math.min(rows - start, this.#rowsPerBlock);
      const halves = await this.#readBlock(start / this.#rowsPerBlock);
      const vectors = new Float32Array(count * this.dimension);
      decodeFloat16(halves.subarray(0, vectors.length), vectors);
      yield { start, vectors };
    }
  }

  /** The first `rows` rows as one [rows, dimension] matrix. */
  async readPrefix(rows = this.rows): Promise<Float32Array> {
    this.#checkPrefix(rows);
    const matrix = new Float32Array(rows * this.dimension);
    for await (const { start, vectors } of this.blocks(rows)) matrix.set(vectors, start * this.dimension);
    return matrix;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #readBlock(block: number): Promise<Uint16Array> {
    const offset = headerLength + block * this.#offsets.blockLength;
    const bytes = await readFully(
      this.#file,
      offset,
      Math.min(this.#offsets.blockLength, this.#offsets.bitmap - offset),
    );
    const digest = this.#digests.subarray(block * digestLength, (block + 1) * digestLength);
    if (!sha256(bytes).equals(digest)) {
      const first = block * this.#rowsPerBlock;
      throw new ForeignFileError({
        file: this.#path,
        reason: `damaged: checksum of the block from row ${first} is wrong`,
      });
    }
    const halves = new Uint16Array(bytes.length / 2);
    new Uint8Array(halves.buffer).set(bytes);
    const native = littleEndianBytes(halves);
    return new Uint16Array(native.buffer, native.byteOffset, halves.length);
  }

  #checkPrefix(rows: number): void {
    if (Number.isInteger(rows) && rows >= 0 && rows <= this.rows) return;
    throw new InvalidArgumentError({ argument: 'rows', value: rows, expected: `an integer in 0..${this.rows}` });
  }
}

/** Reads `length` bytes; fewer where the file was cut in the meantime, which checksums then catch. */
async function readFully(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) return bytes.subarray(0, done);
    done += bytesRead;
  }
  return bytes;
}
