import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { littleEndianBytes } from '../../commitment/typedArrayBytes.js';
import { ForeignFileError } from '../../errors/ForeignFileError.js';

/**
 * A log of embeddings: a header, then records of one length,
 * key (32 bytes) | flags (4) | vector (4 * dimension, binary32) | CRC-32 of the record so far (4), little-endian.
 *
 * One process appends to a log, and only to the one it made; whoever opens it later reads the whole records that are
 * there. A torn last record, after a crash, is not a whole record and is not seen.
 */
export const keyLength = 32;
const flagsOffset = keyLength;
const vectorOffset = keyLength + 4;
const presentFlag = 1;
const truncatedFlag = 2;

const magic = Buffer.from('asof embedding log 1\n', 'latin1');
const dimensionOffset = 24;
const hashOffset = 32;
const headerLength = 64;
export const logExtension = '.log';

export interface CachedVector {
  readonly present: boolean;
  readonly truncated: boolean;
}

export interface LogIdentity {
  /** Hexadecimal SHA-256 of the embedder. */
  readonly hash: string;
  readonly dimension: number;
}

export function recordLength(dimension: number): number {
  return vectorOffset + dimension * 4 + 4;
}

/** Fills `record` from its parts. */
export function encodeRecord(record: Buffer, key: Uint8Array, vector: Float32Array, state: CachedVector): void {
  record.set(key);
  record.writeUInt32LE((state.present ? presentFlag : 0) | (state.truncated ? truncatedFlag : 0), flagsOffset);
  record.set(littleEndianBytes(vector), vectorOffset);
  const end = record.length - 4;
  record.writeUInt32LE(crc32(record.subarray(0, end)), end);
}

/** Copies the vector out of a record; undefined when the record is damaged or another key's. */
export function decodeRecord(record: Buffer, key: Buffer, vector: Float32Array): CachedVector | undefined {
  if (!isIntact(record) || key.compare(record, 0, keyLength) !== 0) return undefined;
  for (let i = 0; i < vector.length; i++) vector[i] = record.readFloatLE(vectorOffset + i * 4);
  const flags = record.readUInt32LE(flagsOffset);
  return { present: (flags & presentFlag) !== 0, truncated: (flags & truncatedFlag) !== 0 };
}

export function isIntact(record: Buffer): boolean {
  const end = record.length - 4;
  return crc32(record.subarray(0, end)) === record.readUInt32LE(end);
}

/** One log file, open for reading, or for appending too when it was made by this process. */
export class RecordLog {
  readonly path: string;
  readonly #descriptor: number;
  readonly #recordLength: number;
  #records: number;

  private constructor(path: string, descriptor: number, length: number, records: number) {
    this.path = path;
    this.#descriptor = descriptor;
    this.#recordLength = length;
    this.#records = records;
  }

  static create(folder: string, identity: LogIdentity): RecordLog {
    const path = join(folder, `${randomUUID()}${logExtension}`);
    const descriptor = openSync(path, 'ax+');
    writeSync(descriptor, encodeHeader(identity));
    return new RecordLog(path, descriptor, recordLength(identity.dimension), 0);
  }

  /** @throws ForeignFileError when the file is not a log of this embedder */
  static open(path: string, identity: LogIdentity): RecordLog {
    const descriptor = openSync(path, 'r');
    const header = Buffer.alloc(headerLength);
    readSync(descriptor, header, 0, headerLength, 0);
    if (!header.equals(encodeHeader(identity))) {
      closeSync(descriptor);
      throw new ForeignFileError({ file: path, reason: `not an embedding log of embedder ${identity.hash}` });
    }
    const length = recordLength(identity.dimension);
    const records = Math.floor((fstatSync(descriptor).size - headerLength) / length);
    return new RecordLog(path, descriptor, length, records);
  }

  get records(): number {
    return this.#records;
  }

  get byteLength(): number {
    return headerLength + this.#records * this.#recordLength;
  }

  read(index: number, record: Buffer): void {
    readSync(this.#descriptor, record, 0, this.#recordLength, headerLength + index * this.#recordLength);
  }

  /** Appends whole records, in one write; returns the index of the first. */
  append(records: Buffer): number {
    for (let done = 0; done < records.length; ) done += writeSync(this.#descriptor, records, done);
    const first = this.#records;
    this.#records += records.length / this.#recordLength;
    return first;
  }

  /** Calls `each` with every record; the buffer is reused. */
  visit(each: (record: Buffer, index: number) => void): void {
    const recordsPerRead = Math.max(1, Math.floor((1 << 22) / this.#recordLength));
    const chunk = Buffer.alloc(recordsPerRead * this.#recordLength);
    for (let start = 0; start < this.#records; start += recordsPerRead) {
      const count = Math.min(recordsPerRead, this.#records - start);
      const position = headerLength + start * this.#recordLength;
      readSync(this.#descriptor, chunk, 0, count * this.#recordLength, position);
      for (let i = 0; i < count; i++) {
        each(chunk.subarray(i * this.#recordLength, (i + 1) * this.#recordLength), start + i);
      }
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function encodeHeader({ hash, dimension }: LogIdentity): Buffer {
  const header = Buffer.alloc(headerLength);
  magic.copy(header);
  header.writeUInt32LE(dimension, dimensionOffset);
  header.write(hash, hashOffset, 'hex');
  return header;
}
