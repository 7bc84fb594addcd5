import { createHash, type Hash } from 'node:crypto';

/** SHA-256 of a text (as UTF-8) or of bytes, in lower-case hexadecimal. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** SHA-256 of bytes or text (as UTF-8): 32 bytes. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

export function newSha256(): Hash {
  return createHash('sha256');
}
