import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newSha256 } from '../../commitment/sha256.js';
import { RequestRefusedError } from '../../errors/RequestRefusedError.js';

/** A body on disk, whole, and its digest. */
export interface SpooledBody {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Removes it. */
  remove(): Promise<void>;
}

/**
 * Puts a body on disk as it arrives, at the pace of the disk and in little memory. Only a body that arrived whole is used:
 * a connection that breaks leaves nothing.
 *
 * @throws RequestRefusedError (413) when it has more than `limit` bytes
 */
export async function spoolBody(body: Readable, limit: number): Promise<SpooledBody> {
  const folder = path.join(tmpdir(), `asof-body-${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = path.join(folder, 'records.jsonl');
  const hash = newSha256();
  let bytes = 0;
  try {
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          if (bytes > limit) throw tooLarge(limit);
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(file),
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { file, bytes, sha256: hash.digest('hex'), remove };
}

export function tooLarge(limit: number): RequestRefusedError {
  return new RequestRefusedError({
    code: 'ASOF_BODY_TOO_LARGE',
    status: 413,
    message: `the body has more than ${limit} bytes: send it in parts`,
  });
}
