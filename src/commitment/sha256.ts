import { createHash, type Hash, hash } from 'node:crypto';

/** SHA-256 of a text (as UTF-8) or of bytes, in lower-case hexadecimal. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** SHA-256 of bytes or text (as UTF-8): 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

/** A hash over parts that come one by one. */
export function newSha256(): Hash {
  return createHash('sha256');
}
