import { sha256 } from '../../commitment/sha256.js';

/**
 * Vector file, version 1. Numbers are little-endian.
 *
 * | bytes | holds |
 * | --- | --- |
 * | 0..7 | magic `89 41 56 45 43 0d 0a 1a` |
 * | 8..11 | version |
 * | 12..15 | dimension |
 * | 16..23 | rows |
 * | 24..27 | rows a block |
 * | 28..31 | 0 |
 * | 32..63 | SHA-256 of the embedder |
 * | 64..95 | seal: SHA-256 of bytes 0..63, presence bitmap and block digests |
 * | 96.. | rows, `dimension` binary16 each; a row without a vector is zeros |
 * | then | presence bitmap, bit `row % 8` of byte `row / 8`, rest of the last byte 0 |
 * | then | SHA-256 of the bytes of each block of rows |
 *
 * The seal commits to every byte, through the block digests, while a prefix of the rows can be read and checked without
 * the rest.
 */
export const headerLength = 96;
export const digestLength = 32;
const sealOffset = 64;
const version = 1;
const magic = Buffer.from([0x89, 0x41, 0x56, 0x45, 0x43, 0x0d, 0x0a, 0x1a]);
const largestDimension = 65_536;

export interface VectorFileShape {
  readonly dimension: number;
  readonly rows: number;
  readonly rowsPerBlock: number;
  /** Hexadecimal SHA-256 of the embedder. */
  readonly embedderHash: string;
}

/** Where the parts of a file lie, in bytes. */
export interface VectorFileOffsets {
  readonly rowLength: number;
  readonly blockLength: number;
  readonly blocks: number;
  readonly bitmap: number;
  readonly digests: number;
  readonly end: number;
}

export function offsetsOf(shape: VectorFileShape): VectorFileOffsets {
  const rowLength = shape.dimension * 2;
  const bitmap = headerLength + shape.rows * rowLength;
  const digests = bitmap + Math.ceil(shape.rows / 8);
  const blocks = Math.ceil(shape.rows / shape.rowsPerBlock);
  const end = digests + blocks * digestLength;
  return { rowLength, blockLength: shape.rowsPerBlock * rowLength, blocks, bitmap, digests, end };
}

/** @param trailer presence bitmap and block digests */
export function encodeHeader(shape: VectorFileShape, trailer: Uint8Array): Buffer {
  const header = Buffer.alloc(headerLength);
  magic.copy(header);
  header.writeUInt32LE(version, 8);
  header.writeUInt32LE(shape.dimension, 12);
  header.writeBigUInt64LE(BigInt(shape.rows), 16);
  header.writeUInt32LE(shape.rowsPerBlock, 24);
  header.write(shape.embedderHash, 32, 'hex');
  sealOf(header, trailer).copy(header, sealOffset);
  return header;
}

/** The shape that a header declares, or the reason why it cannot be one of this format. */
export function decodeHeader(header: Buffer): VectorFileShape | string {
  if (header.length < headerLength || !header.subarray(0, magic.length).equals(magic)) return 'not a vector file';
  const found = header.readUInt32LE(8);
  if (found !== version) return `vector file of version ${found}, this asof reads version ${version}`;
  const dimension = header.readUInt32LE(12);
  const rows = Number(header.readBigUInt64LE(16));
  const rowsPerBlock = header.readUInt32LE(24);
  if (dimension < 1 || dimension > largestDimension) return `dimension is ${dimension}, expected 1 to 65536`;
  if (rowsPerBlock < 1) return 'a block has 0 rows';
  return { dimension, rows, rowsPerBlock, embedderHash: header.toString('hex', 32, 64) };
}

export function sealOf(header: Uint8Array, trailer: Uint8Array): Buffer {
  return sha256(Buffer.concat([header.subarray(0, sealOffset), trailer]));
}

export function storedSeal(header: Buffer): Buffer {
  return header.subarray(sealOffset, sealOffset + digestLength);
}
