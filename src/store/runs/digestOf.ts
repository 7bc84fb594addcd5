import { createReadStream, existsSync } from 'node:fs';
import { newSha256 } from '../../commitment/sha256.js';

/** SHA-256 (hexadecimal) of a file's bytes; null where there is no such file. */
export async function digestOf(file: string): Promise<string | null> {
  if (!existsSync(file)) return null;
  const hash = newSha256();
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
